#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/recovery.hpp"
#include "baton/domain/retry.hpp"
#include "baton/github/answer.hpp"
#include "baton/github/app_client.hpp"
#include "baton/github/etag_cache.hpp"
#include "baton/github/file_path.hpp"
#include "baton/github/json_read.hpp"
#include "baton/github/paging.hpp"
#include "baton/github/rest.hpp"
#include "baton/github/token_cache.hpp"
#include "baton/net/url.hpp"
#include "baton/ports/github.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::github {

namespace asio = boost::asio;
using domain::Answer;
using domain::Outcome;

namespace {

/// `role_name` tells triage and maintain apart, `permission` does not; a role that an organisation
/// named itself is known by what it amounts to.
std::optional<domain::Permission> permission_in(std::string_view body) {
    const auto root = parsed(body);
    const auto* role = member(root, "role_name");
    const auto* legacy = member(root, "permission");
    if (role != nullptr && role->is_string()) {
        const auto named = domain::permission_named(role->as_string());
        if (named != domain::Permission::none) {
            return named;
        }
    }
    if (legacy == nullptr || !legacy->is_string()) {
        return role != nullptr && role->is_string() ? std::optional(domain::Permission::none)
                                                    : std::nullopt;
    }
    return domain::permission_named(legacy->as_string());
}

std::string text_in(const boost::json::value& root, std::string_view name) {
    const auto* const found = member(root, name);
    return found != nullptr && found->is_string() ? std::string(found->as_string()) : std::string{};
}

std::int64_t number_in(const boost::json::value& root, std::string_view name) {
    const auto* const found = member(root, name);
    return found != nullptr && found->is_int64() ? found->as_int64() : 0;
}

/// nullopt when it is no line of a delivery log.
std::optional<domain::HookTry> try_in(const boost::json::value& line) {
    const auto at = parse_rfc3339(text_in(line, "delivered_at"));
    const auto* const again = member(line, "redelivery");
    domain::HookTry read{
        .id = number_in(line, "id"),
        .delivery = DeliveryId(text_in(line, "guid")),
        .event = text_in(line, "event"),
        .action = text_in(line, "action"), // null for events without one
        .at = at.value_or(TimePoint{}),
        .status = static_cast<int>(number_in(line, "status_code")),
        .redelivery = again != nullptr && again->is_bool() && again->as_bool(),
    };
    const bool good = read.id > 0 && !read.delivery.empty() && at.has_value();
    return good ? std::optional(std::move(read)) : std::nullopt;
}

std::optional<ports::PullView> pull_in(const boost::json::value& object) {
    const auto* const head = member(object, "head");
    const auto updated_at = parse_rfc3339(text_in(object, "updated_at"));
    ports::PullView view{
        .number = PrNumber{number_in(object, "number")},
        .head = HeadSha(head == nullptr ? std::string{} : text_in(*head, "sha")),
        .open = text_in(object, "state") == "open",
        .updated_at = updated_at.value_or(TimePoint{}),
        .json = boost::json::serialize(object),
    };
    const bool good = view.number > PrNumber{} && !view.head.empty() && updated_at.has_value();
    return good ? std::optional(std::move(view)) : std::nullopt;
}

/// Each element of a page that is understood; nullopt when the page is no array, or nothing of it
/// is.
template <class Value>
std::optional<std::vector<Value>>
page_in(std::string_view body, std::optional<Value> (*read)(const boost::json::value&)) {
    const auto root = parsed(body);
    if (!root.is_array()) {
        return std::nullopt;
    }
    std::vector<Value> page;
    for (const auto& element : root.as_array()) {
        if (auto value = read(element)) {
            page.push_back(*std::move(value));
        }
    }
    if (page.empty() && !root.as_array().empty()) {
        return std::nullopt;
    }
    return page;
}

tl::unexpected<Error> not_understood(std::string_view what) {
    return fail(
        Errc::unavailable, fmt::format("GitHub's answer about {} was not understood", what)
    );
}

std::string_view link_of(const RestReply& rest) {
    return rest.reply->headers.find("link").value_or("");
}

} // namespace

asio::awaitable<tl::expected<RestReply, Answer>>
RestGithub::read(RestCall call, Grant grant, Budget budget) {
    const auto asked = fmt::format("{}{}", call.repo.key(), call.tail);
    auto work = read_afresh(std::move(call), grant, budget);
    auto joined = co_await reads_.run(asked, std::move(work), budget);
    if (!joined) {
        co_return tl::unexpected(
            Answer{.outcome = Outcome::not_sent, .detail = "no time left while waiting for GitHub"}
        );
    }
    co_return *std::move(joined);
}

asio::awaitable<tl::expected<RestReply, Answer>>
RestGithub::read_afresh(RestCall call, Grant grant, Budget budget) {
    const auto asked = fmt::format("{}{}", call.repo.key(), call.tail);
    if (auto mark = etags_.mark_of(asked); !mark.empty()) {
        call.extra.add("If-None-Match", std::move(mark));
    }
    auto rest = co_await send(call, grant, budget);
    if (rest && rest->reply) {
        etags_.settle(asked, *rest->reply);
    }
    if (rest && rest->status() == 304) { // what it refers to had to make room meanwhile
        call.extra = {};
        rest = co_await send(std::move(call), grant, budget);
    }
    co_return rest;
}

asio::awaitable<Result<ports::HookPage>> RestGithub::hook_log(std::string cursor) {
    const Budget budget(wait_);
    RestCall call{.tail = "/app/hook/deliveries?per_page=100"};
    if (!cursor.empty()) {
        call.tail += fmt::format("&cursor={}", net::percent_encode(cursor));
    }
    const auto rest = co_await credentials_.send_as_app(std::move(call), budget);
    const auto answer = answer_of(rest, {.ask = Ask::hook_log, .repo = {}, .now = clock_->now()});
    if (answer.outcome != Outcome::accepted) {
        co_return fail(error_of(answer));
    }
    auto tries = page_in(rest.reply->body, &try_in);
    if (!tries) {
        co_return not_understood("its delivery log");
    }
    co_return ports::HookPage{
        .tries = *std::move(tries), .next = next_page(link_of(rest), "cursor").value_or("")
    };
}

asio::awaitable<Result<void>> RestGithub::ask_again(std::int64_t try_id) {
    const Budget budget(wait_);
    RestCall call{
        .method = "POST", .tail = fmt::format("/app/hook/deliveries/{}/attempts", try_id)
    };
    const auto rest = co_await credentials_.send_as_app(std::move(call), budget);
    const auto answer = answer_of(rest, {.ask = Ask::redelivery, .repo = {}, .now = clock_->now()});
    if (answer.outcome != Outcome::accepted) {
        co_return fail(error_of(answer));
    }
    co_return Result<void>{};
}

asio::awaitable<Result<ports::PullsPage>> RestGithub::open_pulls(ports::PullsQuery query) {
    const Budget budget(wait_);
    RestCall call{
        .repo = query.repo,
        .tail = fmt::format("/pulls?state=open&sort=created&per_page=100&page={}", query.page),
    };
    const auto rest = co_await read(std::move(call), Grant::read_pulls, budget);
    if (!rest) {
        co_return fail(error_of(rest.error()));
    }
    const auto answer =
        answer_of(*rest, {.ask = Ask::pulls, .repo = query.repo, .now = clock_->now()});
    if (answer.outcome != Outcome::accepted) {
        co_return fail(error_of(answer));
    }
    auto pulls = page_in(rest->reply->body, &pull_in);
    if (!pulls) {
        co_return not_understood("pull requests");
    }
    co_return ports::PullsPage{
        .pulls = *std::move(pulls), .more = next_page(link_of(*rest), "page").has_value()
    };
}

asio::awaitable<Result<ports::PullView>> RestGithub::pull(RepoName repo, PrNumber number) {
    const Budget budget(wait_);
    RestCall call{
        .repo = repo, .tail = fmt::format("/pulls/{}", static_cast<std::int64_t>(number))
    };
    const auto rest = co_await read(std::move(call), Grant::read_pulls, budget);
    if (!rest) {
        co_return fail(error_of(rest.error()));
    }
    const auto answer = answer_of(*rest, {.ask = Ask::pulls, .repo = repo, .now = clock_->now()});
    if (answer.outcome != Outcome::accepted) {
        co_return fail(error_of(answer));
    }
    const auto view = pull_in(parsed(rest->reply->body));
    if (!view) {
        co_return not_understood("a pull request");
    }
    co_return *view;
}

asio::awaitable<Result<std::optional<ports::FileVersion>>>
RestGithub::read_file(ports::FileQuery query) {
    const Budget budget(wait_);
    BATON_CO_TRY(const auto path, encoded_path(query.path));
    RestCall request{
        .repo = query.repo,
        .tail = fmt::format("/contents{}", path),
        .accept = "application/vnd.github.raw+json",
    };
    if (!query.ref.empty()) {
        request.tail += fmt::format("?ref={}", net::percent_encode(query.ref));
    }
    if (!query.etag.empty()) {
        request.extra.add("If-None-Match", query.etag);
    }
    const auto rest = co_await send(std::move(request), Grant::read_contents, budget);
    if (!rest) {
        co_return fail(error_of(rest.error()));
    }
    if (rest->status() == 304) {
        co_return std::nullopt;
    }
    if (!rest->reply && rest->reply.error().code == Errc::invalid) {
        co_return fail(
            Errc::invalid,
            fmt::format("{} of {} cannot be read", inert(query.path), query.repo.text())
        );
    }
    const auto answer =
        answer_of(*rest, {.ask = Ask::file, .repo = query.repo, .now = clock_->now()});
    if (answer.outcome != Outcome::accepted) {
        co_return fail(error_of(answer));
    }
    if (rest->reply->body.size() > limits::kAllowlistBytesMax) {
        co_return fail(
            Errc::invalid,
            fmt::format(
                "{} of {} is larger than {} bytes",
                inert(query.path),
                query.repo.text(),
                limits::kAllowlistBytesMax
            )
        );
    }
    ports::FileVersion version{
        .text = rest->reply->body,
        .etag = std::string(rest->reply->headers.find("etag").value_or("")),
    };
    co_return version;
}

asio::awaitable<Result<domain::Permission>> RestGithub::permission(ports::PermissionQuery query) {
    const Budget budget(wait_);
    if (query.login.empty()) {
        co_return domain::Permission::none;
    }
    RestCall request{
        .repo = query.repo,
        .tail =
            fmt::format("/collaborators/{}/permission", net::percent_encode(query.login.text())),
    };
    const auto rest = co_await read(std::move(request), Grant::read_metadata, budget);
    if (!rest) {
        co_return fail(error_of(rest.error()));
    }
    if (rest->status() == 404) {
        co_return domain::Permission::none;
    }
    const auto answer =
        answer_of(*rest, {.ask = Ask::permission, .repo = query.repo, .now = clock_->now()});
    if (answer.outcome != Outcome::accepted) {
        co_return fail(error_of(answer));
    }
    const auto permission = permission_in(rest->reply->body);
    if (!permission) {
        co_return fail(
            Errc::unavailable,
            fmt::format(
                "GitHub's answer about someone's rights on {} was not understood", query.repo.text()
            )
        );
    }
    co_return *permission;
}

} // namespace baton::github
