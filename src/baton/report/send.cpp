#include "baton/report/send.hpp"

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/net/client.hpp"
#include "baton/net/url.hpp"
#include "baton/report/answer.hpp"
#include "baton/report/body.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/this_coro.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace baton::report {

namespace asio = boost::asio;

namespace {

constexpr std::string_view kCallbackPath = "/github/callback";

bool may_pass(const Error& error) {
    return error.code == Errc::unavailable || error.code == Errc::timed_out;
}

Ending ending_of(const Answer& answer, Move move) {
    if (answer.accepted()) {
        return answer.status == "ignored" ? Ending::ignored : Ending::accepted;
    }
    return move == Move::give_up ? Ending::unreachable : Ending::refused;
}

std::string why(const Answer& answer) {
    if (answer.http_status == 0) {
        return answer.detail;
    }
    const auto* joint = answer.detail.empty() ? "" : ": ";
    return fmt::format("the relay answered {}{}{}", answer.http_status, joint, answer.detail);
}

} // namespace

std::string_view name_of(Ending ending) {
    switch (ending) {
    case Ending::accepted:
        return "accepted";
    case Ending::ignored:
        return "ignored";
    case Ending::refused:
        return "refused";
    case Ending::unreachable:
        return "unreachable";
    case Ending::no_token:
        return "no_token";
    }
    return "unreachable";
}

Result<CallbackAddress> callback_address(std::string_view url) {
    BATON_TRY(const auto place, net::parse_url(url));
    const bool whole = place.path.ends_with(kCallbackPath);
    return CallbackAddress{
        .base = place.origin(),
        .target = whole ? place.path : place.path + std::string(kCallbackPath),
    };
}

asio::awaitable<Result<Outcome>> Sender::send(Report report) {
    const auto executor = co_await asio::this_coro::executor;
    net::ClientOptions client_options{.base_url = options_.to.base, .ca_file = options_.ca_file};
    BATON_CO_TRY(const auto client, net::Client::make(executor, std::move(client_options)));
    Progress progress{.token_renews = tokens_->renews()};
    BATON_CO_TRY(auto body, make_body(report, progress.bytes_max));
    const auto began = clock_->now();
    while (true) {
        ++progress.tries;
        const auto left = std::max(options_.patience.timeout - progress.age, Millis(1));
        const auto wait = std::min(left, options_.wait_each);
        auto last = co_await attempt(client.get(), &body.json, wait);
        progress.age = std::max(clock_->now() - began, Millis(0));
        const auto decision =
            last.for_good ? Decision{.move = Move::stop}
                          : decide(last.answer, progress, options_.patience, chance_->draw());
        if (decision.move == Move::stop || decision.move == Move::give_up) {
            co_return Outcome{
                .ending =
                    last.without_token ? Ending::no_token : ending_of(last.answer, decision.move),
                .answer = std::move(last.answer),
                .tries = progress.tries,
                .notes = std::move(body.notes),
            };
        }
        if (decision.move == Move::smaller) {
            progress.bytes_max /= 2;
            BATON_CO_TRY(body, make_body(report, progress.bytes_max));
        }
        progress.token_renewed = progress.token_renewed || decision.move == Move::fresh_token;
        co_await pause(decision, std::move(last));
    }
}

asio::awaitable<void> Sender::pause(Decision decision, Attempt last) {
    if (decision.move == Move::fresh_token) {
        token_.clear();
    }
    if (decision.move != Move::again) {
        co_return;
    }
    on_delay_(fmt::format(
        "{}; trying again in {:.1f} s",
        why(last.answer),
        static_cast<double>(decision.wait.count()) / 1000
    ));
    co_await clock_->sleep_until(clock_->now() + decision.wait);
}

asio::awaitable<Sender::Attempt>
Sender::attempt(net::Client* client, const std::string* body, Millis wait) {
    if (token_.empty()) {
        auto token = co_await tokens_->mint(wait);
        if (!token) {
            co_return Attempt{
                .answer = {.detail = token.error().detail},
                .without_token = true,
                .for_good = !may_pass(token.error()),
            };
        }
        token_ = *std::move(token);
    }
    net::ClientRequest request{
        .method = "POST",
        .target = options_.to.target,
        .headers = {{"Authorization", "Bearer " + token_}, {"Content-Type", "application/json"}},
        .body = *body,
    };
    const auto reply = co_await client->send(std::move(request), wait);
    if (!reply) {
        co_return Attempt{.answer = {.detail = inert(reply.error().detail)}};
    }
    co_return Attempt{.answer = answer_in(*reply)};
}

} // namespace baton::report
