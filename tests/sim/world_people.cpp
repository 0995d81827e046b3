#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/hmac.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/crypto/webhook_signature.hpp"
#include "baton/relay/intake.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/wire/webhook.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "sim/life.hpp"
#include "sim/world.hpp"

namespace baton::test {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view kSecret = "a webhook secret";

wire::VerifiedWebhook verified(const sim::Webhook& webhook) {
    static const auto keys = *crypto::SignatureKeys::make({std::string(kSecret)});
    static const crypto::HmacKey signer(kSecret);
    crypto::SignatureCheck check(keys);
    check.update(webhook.body);
    const auto proof =
        check.finish("sha256=" + crypto::to_hex(crypto::view_of(signer.sign(webhook.body))));
    return {*proof, {.event = webhook.event, .delivery = webhook.id}, webhook.body};
}

} // namespace

void World::send(const sim::Webhook& webhook) {
    const auto shared = std::make_shared<const sim::Webhook>(webhook);
    undelivered_[webhook.id] = shared;
    const auto held_back = chance(swarm_.late) ? Millis(people_.draw().below(300'000)) : Millis(0);
    life_->deliveries.spawn(deliver(shared, clock_.now() + held_back));
    if (chance(swarm_.duplicate)) {
        life_->deliveries.spawn(deliver(shared, clock_.now() + Millis(people_.draw().below(60'000)))
        );
    }
}

/// GitHub's side of the webhook; where it would give up, an operator presses "redeliver" a minute
/// later.
asio::awaitable<void> World::deliver(std::shared_ptr<const sim::Webhook> webhook, TimePoint when) {
    for (;;) {
        co_await clock_.sleep_until(when);
        auto bytes = verified(*webhook);
        const auto receipt = co_await life_->relay.intake().accept(std::move(bytes));
        if (receipt) {
            undelivered_.erase(webhook->id);
            if (receipt->kind == relay::Receipt::Kind::accepted) {
                accepted_.insert(webhook->id);
            }
            if (receipt->kind == relay::Receipt::Kind::duplicate) {
                accepted_.insert(webhook->id
                ); // an earlier try was committed, its answer lost with a crash
            }
            co_return;
        }
        when = clock_.now() + 1min;
    }
}

void World::act_once() {
    const auto now = clock_.now();
    const auto pick = people_.draw().below(10);
    const auto number = pulls_.empty() ? PrNumber{} : pulls_[people_.draw().below(pulls_.size())];
    const auto pull = [&](sim::PullVerb verb, const char* by, const char* label = "") {
        return github_model_.act(
            {.repo = kUpstream,
             .number = number,
             .verb = verb,
             .by = Login(by),
             .label = label,
             .now = now}
        );
    };
    Result<sim::Webhook> webhook = fail(Errc::not_found, "nothing happened");
    if (pick < 2 || pulls_.empty()) {
        webhook = github_model_.open_pull(
            {.repo = kUpstream, .author = Login(chance(0.5) ? "maintainer" : "newcomer"), .now = now
            }
        );
        pulls_.push_back(webhook->pr.value());
    } else if (pick < 5) {
        webhook = pull(sim::PullVerb::synchronize, "newcomer");
    } else if (pick < 6) {
        webhook = pull(
            sim::PullVerb::labeled,
            chance(0.7) ? "triager" : "newcomer",
            chance(0.8) ? "ciflow/crcr/npu" : "other"
        );
    } else if (pick < 7) {
        webhook = pull(sim::PullVerb::closed, "maintainer");
    } else if (pick < 8) {
        webhook = pull(sim::PullVerb::reopened, "maintainer");
    } else {
        webhook = github_model_.push(
            {.repo = kUpstream,
             .ref = chance(0.5) ? "refs/heads/main" : "refs/heads/side",
             .by = Login("maintainer"),
             .now = now}
        );
    }
    if (webhook) {
        send(*webhook);
    }
}

void World::live(int actions) {
    for (int i = 0; i < actions; ++i) {
        act_once();
        const auto until = clock_.now() + Millis(1 + people_.draw().below(90'000));
        run(until, [] { return false; });
    }
}

} // namespace baton::test
