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
    post({.webhook = shared}, held_back);
    if (chance(swarm_.duplicate)) {
        post({.webhook = shared}, Millis(people_.draw().below(60'000)));
    }
}

void World::post(Letter letter, Millis later) {
    post_office_.spawn(carry(std::move(letter), clock_.now() + later));
}

/// GitHub's side: it tries once, writes down how that went, and never tries again unless asked.
asio::awaitable<void> World::carry(Letter letter, TimePoint when) {
    co_await clock_.sleep_until(when);
    if (!life_ || life_->incarnation->dead() || (!healed_ && chance(swarm_.lost_webhook))) {
        log_try(letter, 502);
        co_return;
    }
    at_the_door_.emplace(letter.webhook->id, letter);
    life_->deliveries.spawn(hand_over(std::move(letter)));
}

asio::awaitable<void> World::hand_over(Letter letter) {
    auto bytes = verified(*letter.webhook);
    const auto receipt = co_await life_->relay.intake().accept(std::move(bytes));
    at_the_door_.erase(at_the_door_.find(letter.webhook->id));
    if (!receipt) {
        log_try(letter, 503);
        co_return;
    }
    // A duplicate was committed by an earlier try whose answer a crash swallowed.
    const bool ignored = receipt->kind == relay::Receipt::Kind::ignored;
    undelivered_.erase(letter.webhook->id);
    if (!ignored) {
        accepted_.insert(letter.webhook->id);
    }
    log_try(letter, receipt->kind == relay::Receipt::Kind::accepted ? 202 : 200);
}

void World::log_try(const Letter& letter, int status) {
    const auto logged = github_model_.hooks().record(
        {.delivery = letter.webhook->id,
         .at = github_time(),
         .redelivery = letter.redelivery,
         .status_code = status}
    );
    EXPECT_TRUE(logged) << logged.error().detail;
}

void World::post_redeliveries() {
    for (const auto& id : github_model_.take_redeliveries()) {
        post({.webhook = github_model_.hooks().webhook(id), .redelivery = true}, Millis(100));
    }
}

void World::act_once() {
    if (!healed_ && chance(swarm_.clock_jump)) {
        const Millis by(static_cast<Millis::rep>(people_.draw().below(7'200'000)) - 3'600'000);
        clock_.jump(by);
        drift_ += by;
    }
    const auto now = github_time();
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

PrNumber World::open(const std::string& author) {
    const auto webhook =
        github_model_.open_pull({.repo = kUpstream, .author = Login(author), .now = github_time()});
    send(*webhook);
    return pulls_.emplace_back(webhook->pr.value());
}

void World::push_to_main() {
    const auto webhook =
        github_model_.push({.repo = kUpstream, .by = Login("maintainer"), .now = github_time()});
    send(*webhook);
}

void World::live(int actions) {
    for (int i = 0; i < actions; ++i) {
        act_once();
        report_nightlies();
        const auto until = clock_.now() + Millis(1 + people_.draw().below(90'000));
        run(until, [] { return false; });
    }
}

} // namespace baton::test
