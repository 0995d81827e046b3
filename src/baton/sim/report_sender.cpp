#include "baton/sim/report_sender.hpp"

#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/net/client.hpp"
#include "baton/net/url.hpp"
#include "baton/ports/clock.hpp"
#include "baton/sim/actions_runs.hpp"
#include "baton/sim/report.hpp"
#include "baton/sim/sending_thread.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/error_code.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace baton::sim {

namespace asio = boost::asio;

namespace {

constexpr Millis kLookAgainSoonest{20}; // a clock that stands still must not make us spin

/// Downstreams are at home in different places; a relay that slows down the address of a forger
/// must not slow down the others, and a forger is at home elsewhere than the one it speaks for.
/// From the blocks that are set aside for examples (RFC 5737).
std::string address_of(const Report& report) {
    const auto* const block = report.step.forgery == Forgery::none ? "198.51.100" : "203.0.113";
    const auto house = static_cast<std::int64_t>(report.run.repo_id) % 250 + 1;
    return fmt::format("{}.{}", block, house);
}

ReportAnswer heard(tl::expected<net::ClientReply, net::ClientFailure> reply) {
    if (!reply) {
        return {.status = 0, .body = std::move(reply.error().detail)};
    }
    auto answer = answer_in(reply->status, std::move(reply->body));
    if (const auto wait = whole_number(reply->headers.find("Retry-After").value_or(""))) {
        answer.retry_after = std::chrono::seconds{*wait};
    }
    return answer;
}

} // namespace

class ReportSender::Impl {
public:
    Impl(Office office, ports::Clock& clock, Options options)
        : office_(std::move(office))
        , clock_(clock)
        , options_(options)
        , thread_("baton-sim-downstream", office_.on_surprise)
        , timer_(thread_.executor()) {}

    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    ~Impl() { stop(); }

    void wake() {
        thread_.post([this] { pump(); });
    }

    void stop() {
        thread_.post([this] { timer_.cancel(); });
        thread_.stop();
    }

private:
    void pump() {
        while (!thread_.stopping() && in_flight_ < options_.in_flight_max) {
            auto letter = office_.next();
            if (!letter) {
                look_again_later();
                return;
            }
            ++in_flight_;
            thread_.spawn(deliver(*std::move(letter)));
        }
    }

    void look_again_later() {
        const auto due = office_.next_due();
        if (!due) {
            return; // until somebody wakes us
        }
        timer_.expires_after(std::max(*due - clock_.now(), kLookAgainSoonest));
        timer_.async_wait([this](const boost::system::error_code& cancelled) {
            if (!cancelled) {
                pump();
            }
        });
    }

    asio::awaitable<void> deliver(ReportLetter letter) {
        const auto url = net::parse_url(letter.report.callback_url);
        const auto client = url ? thread_.client_for(*url) : nullptr;
        ReportAnswer answer{.status = 0, .body = "the callback URL cannot be used"};
        if (client) {
            net::ClientRequest request{
                .method = "POST", .target = url->path, .body = std::move(letter.body)
            };
            request.headers.add("Authorization", "Bearer " + letter.token);
            request.headers.add("Content-Type", "application/json");
            request.headers.add("X-Forwarded-For", address_of(letter.report));
            auto reply = co_await client->send(std::move(request), options_.wait);
            answer = heard(std::move(reply));
        }
        --in_flight_;
        if (!thread_.stopping()) {
            office_.done(std::move(letter.report), std::move(answer));
            pump();
        }
    }

    Office office_;
    ports::Clock& clock_;
    Options options_;
    std::size_t in_flight_{0};
    SendingThread thread_;
    asio::steady_timer timer_; // on the thread
};

ReportSender::ReportSender(Office office, ports::Clock& clock, Options options)
    : impl_(std::make_unique<Impl>(std::move(office), clock, options)) {}

ReportSender::~ReportSender() = default;

void ReportSender::wake() {
    impl_->wake();
}

void ReportSender::stop() {
    impl_->stop();
}

} // namespace baton::sim
