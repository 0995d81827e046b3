#include "baton/api/callback.hpp"

#include "baton/api/slowdown.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/domain/caller.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/net/http.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/journal.hpp"
#include "baton/relay/callbacks.hpp"
#include "baton/wire/json_text.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::api {

namespace asio = boost::asio;

namespace {

constexpr std::string_view kAuthorization = "Authorization";

int status_for(Errc code) {
    switch (code) {
    case Errc::unauthenticated:
        return 401;
    case Errc::forbidden:
        return 403;
    case Errc::conflict:
        return 409;
    case Errc::not_found:
        return 422; // the path is there; the commit that the body names is not
    case Errc::throttled:
        return 429;
    case Errc::unavailable:
    case Errc::timed_out:
    case Errc::cancelled:
        return 503;
    case Errc::invalid:
        break;
    }
    return 400;
}

net::Response refusal(const relay::CallbackRefusal& why) {
    net::Response response{
        .status = status_for(why.code),
        .body = fmt::format(R"({{"detail":{}}})", wire::json_quoted(why.detail)),
    };
    if (response.status == 429 || response.status == 503) {
        const auto wait =
            std::chrono::ceil<std::chrono::seconds>(why.retry_after.value_or(limits::kRetryAfter));
        response.headers.add("Retry-After", std::to_string(wait.count()));
    }
    if (response.status == 401) {
        response.headers.add("WWW-Authenticate", "Bearer");
    }
    return response;
}

bool is_duplicate(const domain::Weighed& weighed) {
    return weighed.effect == domain::Weighed::Effect::duplicate || !weighed.counts;
}

net::Response taken(const relay::CallbackReceipt& receipt) {
    if (receipt.ignored) {
        return {.status = 200, .body = R"({"ok":true,"status":"ignored"})"};
    }
    const auto& weighed = receipt.weighed;
    std::string body = fmt::format(
        R"({{"ok":true,"status":"{}","proceed":{})", name_of(receipt.status), weighed.proceed
    );
    if (!weighed.reason.empty()) {
        body += fmt::format(R"(,"reason":{})", wire::json_quoted(weighed.reason));
    }
    if (is_duplicate(weighed)) {
        body += R"(,"duplicate":true)";
    }
    if (weighed.effect == domain::Weighed::Effect::stale) {
        body += R"(,"stale":true)";
    }
    if (!receipt.bound) {
        body += R"(,"unbound":true)";
    }
    if (!receipt.notes.empty()) {
        std::vector<std::string> notes;
        for (const auto& note : receipt.notes) {
            notes.push_back(wire::json_quoted(note));
        }
        body += fmt::format(R"(,"notes":[{}])", fmt::join(notes, ","));
    }
    return {.status = 200, .body = body + "}"};
}

std::string_view outcome_of(const relay::CallbackReceipt& receipt) {
    if (receipt.ignored) {
        return "ignored";
    }
    if (receipt.weighed.effect == domain::Weighed::Effect::stale) {
        return "stale";
    }
    return is_duplicate(receipt.weighed) ? "duplicate" : "recorded";
}

/// The prefix is customary, not required: the published reporter leaves it out on some CIs.
std::string token_in(std::string_view header) {
    constexpr std::string_view kBearer = "bearer ";
    const auto value = trimmed(header);
    const bool prefixed = lower(value.substr(0, kBearer.size())) == kBearer;
    return std::string(trimmed(prefixed ? value.substr(kBearer.size()) : value));
}

/// One callback request from its complete body to its answer.
class CallbackEndpoint {
public:
    explicit CallbackEndpoint(CallbackSurroundings around)
        : around_(around) {}

    std::optional<net::Response> early(const net::RequestHead& head) const {
        if (head.headers.count(kAuthorization) == 1) {
            return std::nullopt;
        }
        const relay::CallbackRefusal why{
            .code = Errc::unauthenticated,
            .reason = "no token",
            .detail = "Missing authorization token: send Authorization: Bearer <OIDC token> once",
        };
        note({.status = 401, .outcome = "refused", .reason = std::string(why.reason)});
        keep(why, 401, {});
        return refusal(why);
    }

    asio::awaitable<net::Response> answer(net::Request request) {
        const auto began = around_.clock.now();
        ports::CallbackAnswered entry{.body_bytes = request.body.size()};
        const auto address = address_of(request.head);
        const bool room = co_await slowdown_.wait(address, began);
        auto work = room ? take(request, entry) : turned_away();
        auto outcome = co_await std::move(work);
        if (!outcome && outcome.error().code == Errc::unauthenticated) {
            slowdown_.note_refusal(address, around_.clock.now());
        }
        auto response = answer_to(outcome);
        entry.status = response.status;
        if (outcome) {
            entry.outcome = outcome_of(*outcome);
            entry.reason = outcome->weighed.reason;
            entry.delivery = outcome->delivery;
            keep_rehearsed(*outcome, entry.downstream);
            entry.job = outcome->ignored
                            ? ""
                            : fmt::format("{} / {}", outcome->key.workflow, outcome->key.job);
        } else {
            entry.outcome = response.status >= 500 ? "unavailable" : "refused";
            entry.reason = outcome.error().reason;
            note_cause(outcome.error());
            keep(outcome.error(), response.status, entry.downstream);
        }
        entry.took = around_.clock.now() - began;
        note(entry);
        co_return response;
    }

private:
    asio::awaitable<relay::CallbackOutcome>
    take(net::Request& request, ports::CallbackAnswered& entry) const {
        auto token = token_in(request.head.headers.find(kAuthorization).value_or(""));
        auto caller = co_await around_.identities.identify(std::move(token));
        if (!caller) {
            co_return tl::unexpected(relay::CallbackRefusal{
                .code = caller.error().code,
                .reason = reason_for(caller.error().code),
                .detail = caller.error().detail,
                .retry_after = around_.identities.asks_again_in(),
            });
        }
        request.share.release(); // from here on these bytes are a known downstream's
        entry.downstream = caller->repo;
        co_return co_await around_.callbacks.accept(*std::move(caller), std::move(request.body));
    }

    static std::string_view reason_for(Errc code) {
        if (code == Errc::unauthenticated) {
            return "bad token";
        }
        return code == Errc::forbidden ? "not registered" : "keys unavailable";
    }

    static asio::awaitable<relay::CallbackOutcome> turned_away() {
        co_return tl::unexpected(relay::CallbackRefusal{
            .code = Errc::throttled,
            .reason = "too many bad tokens",
            .detail = "Too many bad tokens came from your address; wait and send a good one",
            .retry_after = Millis{limits::kSlowdown},
        });
    }

    /// Our own trouble is for the log; its sender only learns that there is some.
    void note_cause(const relay::CallbackRefusal& why) const {
        if (!why.cause.empty()) {
            around_.journal.note(
                ports::Trouble{.healed = true, .where = "callbacks", .detail = why.cause}
            );
        }
    }

    void note(const ports::CallbackAnswered& entry) const { around_.journal.note(entry); }

    /// At level 1 every answer is the same; what level 2 would say can be read among the refused.
    void keep_rehearsed(const relay::CallbackReceipt& receipt, const RepoName& downstream) const {
        if (receipt.rehearsed) {
            auto why = *receipt.rehearsed;
            why.detail = "level 2 would refuse it: " + why.detail;
            keep(why, status_for(why.code), downstream);
        }
    }

    /// Of the token nothing is kept; a name only from one that was verified.
    void keep(const relay::CallbackRefusal& why, int status, const RepoName& downstream) const {
        around_.on_refused({
            .downstream = downstream,
            .reason = std::string(why.reason),
            .status = status,
            .detail = inert(why.detail),
            .delivery = inert(why.delivery.text()),
            .at = around_.clock.now(),
        });
    }

    CallbackSurroundings around_;
    Slowdown slowdown_;
};

} // namespace

net::Response answer_to(const relay::CallbackOutcome& outcome) {
    return outcome ? taken(*outcome) : refusal(outcome.error());
}

std::vector<net::Route> callback_routes(CallbackSurroundings around) {
    const auto endpoint = std::make_shared<CallbackEndpoint>(around);
    std::vector<net::Route> routes;
    for (const auto* const path : {"/github/callback", "/github/callback/"}) {
        routes.push_back({
            .method = "POST",
            .path = path,
            .handler = [endpoint](net::Request request
                       ) { return endpoint->answer(std::move(request)); },
            .body_bytes_max = limits::kCallbackBodyBytesMax,
            .early = [endpoint](const net::RequestHead& head) { return endpoint->early(head); },
        });
    }
    return routes;
}

} // namespace baton::api
