#include "baton/report/token.hpp"

#include "baton/base/forms.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/net/client.hpp"
#include "baton/net/url.hpp"
#include "baton/report/ci.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/system/error_code.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace baton::report {

namespace asio = boost::asio;
namespace json = boost::json;

namespace {

constexpr std::size_t kTokenBytesMax = 12'000; // a header has 16 KiB
constexpr std::string_view kGitlabVariable = "BATON_ID_TOKEN";

struct Address {
    std::string base;
    std::string target;
};

/// The endpoint's own query stays, the audience is added to it.
Result<Address> address_for(const std::string& url, const std::string& audience) {
    const auto mark = url.find('?');
    BATON_TRY(const auto place, net::parse_url(url.substr(0, mark)));
    const auto query = mark == std::string::npos ? "" : url.substr(mark + 1) + "&";
    return Address{
        .base = place.origin(),
        .target = fmt::format("{}?{}audience={}", place.path, query, net::percent_encode(audience)),
    };
}

} // namespace

Result<TokenPlan> token_plan(Ci ci, const Environment& environment, const std::string& audience) {
    switch (ci) {
    case Ci::github_actions: {
        auto url = environment("ACTIONS_ID_TOKEN_REQUEST_URL").value_or("");
        auto bearer = environment("ACTIONS_ID_TOKEN_REQUEST_TOKEN").value_or("");
        if (url.empty() || bearer.empty()) {
            return fail(
                Errc::not_found,
                "this job may not ask GitHub for an identity token; add `permissions: {id-token: "
                "write, contents: read}` to it"
            );
        }
        return ActionsEndpoint{.url = std::move(url), .bearer = std::move(bearer)};
    }
    case Ci::buildkite:
        return TokenCommand{
            .words = {"buildkite-agent", "oidc", "request-token", "--audience", audience},
        };
    case Ci::gitlab: {
        const auto token = environment(std::string(kGitlabVariable));
        if (!token || token->empty()) {
            return fail(
                Errc::not_found,
                fmt::format(
                    "{0} is not set; add `id_tokens: {{{0}: {{aud: {1}}}}}` to the job",
                    kGitlabVariable,
                    inert(audience)
                )
            );
        }
        BATON_TRY(auto checked, checked_token(*token));
        return GivenToken{.token = std::move(checked)};
    }
    case Ci::jenkins:
    case Ci::other:
        break;
    }
    return fail(
        Errc::not_found,
        fmt::format(
            "where the identity token is cannot be told in {}; say --token-file or --token-env",
            name_of(ci)
        )
    );
}

Result<std::string> checked_token(std::string_view text) {
    const auto token = trimmed(text);
    if (token.empty()) {
        return fail(Errc::invalid, "the identity token is empty");
    }
    if (token.size() > kTokenBytesMax) {
        return fail(Errc::invalid, "the identity token is too long to be one");
    }
    if (!is_visible_ascii(token)) {
        return fail(Errc::invalid, "the identity token has characters that no token has");
    }
    return std::string(token);
}

Result<std::string> token_in(const net::ClientReply& reply) {
    if (reply.status != 200) {
        const bool passes = reply.status >= 500 || reply.status == 429;
        return fail(
            passes ? Errc::unavailable : Errc::forbidden,
            fmt::format("GitHub's token endpoint answered {}", reply.status)
        );
    }
    boost::system::error_code broken;
    const auto body = json::parse(reply.body, broken);
    const auto* object = broken ? nullptr : body.if_object();
    const auto* value = object == nullptr ? nullptr : object->if_contains("value");
    if (value == nullptr || !value->is_string()) {
        return fail(Errc::unavailable, "GitHub's token endpoint answered without a token");
    }
    return checked_token(std::string_view(value->as_string()));
}

asio::awaitable<Result<std::string>> TokenSource::mint(Millis wait) {
    if (const auto* given = std::get_if<GivenToken>(&plan_)) {
        co_return given->token;
    }
    if (const auto* command = std::get_if<TokenCommand>(&plan_)) {
        BATON_CO_TRY(const auto printed, run_program_(command->words, wait));
        co_return checked_token(printed);
    }
    co_return co_await ask_actions(std::get<ActionsEndpoint>(plan_), audience_, wait);
}

asio::awaitable<Result<std::string>>
TokenSource::ask_actions(ActionsEndpoint endpoint, std::string audience, Millis wait) {
    BATON_CO_TRY(const auto address, address_for(endpoint.url, audience));
    const auto executor = co_await asio::this_coro::executor;
    BATON_CO_TRY(const auto client, net::Client::make(executor, {.base_url = address.base}));
    net::ClientRequest request{
        .method = "GET",
        .target = address.target,
        .headers = {{"Authorization", "Bearer " + endpoint.bearer}, {"Accept", "application/json"}},
        .body = "",
    };
    const auto reply = co_await client->send(std::move(request), wait);
    if (!reply) {
        co_return fail(
            reply.error().code == Errc::timed_out ? Errc::timed_out : Errc::unavailable,
            "GitHub's token endpoint: " + inert(reply.error().detail)
        );
    }
    co_return token_in(*reply);
}

} // namespace baton::report
