#include "baton/relay/planner.hpp"

#include "baton/async/task_group.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/event.hpp"
#include "baton/domain/plan.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/healing.hpp"
#include "baton/wire/webhook.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace baton::relay {

namespace asio = boost::asio;

namespace {

/// Deliveries of one subject are planned one after the other, different subjects side by side.
std::string subject_of(const ports::Delivery& delivery) {
    return delivery.pr
               ? fmt::format("{}#{}", delivery.repository, static_cast<std::int64_t>(*delivery.pr))
               : delivery.id.text();
}

Error about(const DeliveryId& delivery, std::string_view what, const Error& error) {
    return {
        .code = error.code,
        .detail = fmt::format("delivery {}: {}{}", delivery.text(), what, error.detail)
    };
}

} // namespace

Planner::Planner(Settings settings, Surroundings around)
    : settings_(std::move(settings))
    , around_(std::move(around))
    , rights_({.github = around_.github, .clock = around_.clock, .journal = around_.journal})
    , bell_(around_.clock.make_bell())
    , side_by_side_(around_.executor, [this](std::string surprise) {
        trouble({.code = Errc::invalid, .detail = std::move(surprise)});
    }) {}

void Planner::wake() {
    bell_->ring();
}

void Planner::cancel() {
    side_by_side_.cancel();
}

void Planner::trouble(Error error) {
    around_.journal.note(ports::Trouble{
        .healed = heals_by_itself(error), .where = "planner", .detail = std::move(error).detail
    });
}

asio::awaitable<void> Planner::run() {
    for (;;) {
        const bool more = co_await plan_due();
        if (!more) {
            co_await bell_->wait_until(around_.clock.now() + limits::kPollTime);
        }
    }
}

asio::awaitable<bool> Planner::plan_due() {
    auto due =
        co_await around_.store.deliveries_to_plan(around_.clock.now(), limits::kPlanBatchMax);
    if (!due) {
        trouble(due.error());
        co_return false;
    }
    if (due->empty()) {
        co_return false;
    }
    auto suspensions = co_await around_.store.suspensions(around_.clock.now());
    if (!suspensions) {
        trouble(suspensions.error());
        co_return false;
    }
    suspensions_ = *std::move(suspensions);
    const bool full = due->size() == limits::kPlanBatchMax;
    settled_ = 0;
    std::map<std::string, std::vector<ports::DeliveryToPlan>> by_subject;
    for (auto& waiting : *due) {
        auto subject = subject_of(waiting.delivery);
        by_subject[std::move(subject)].push_back(std::move(waiting));
    }
    for (auto& [subject, deliveries] : by_subject) {
        side_by_side_.spawn(plan_in_order(std::move(deliveries)));
    }
    co_await side_by_side_.join();
    // With nothing settled the same ones would come again at once.
    co_return full&& settled_ > 0;
}

asio::awaitable<void> Planner::plan_in_order(std::vector<ports::DeliveryToPlan> deliveries) {
    for (auto& waiting : deliveries) {
        const bool settled = co_await plan_one(std::move(waiting));
        settled_ += settled ? 1 : 0;
        if (!settled) {
            co_return; // later ones of the same subject wait for this one
        }
    }
}

asio::awaitable<bool> Planner::plan_one(ports::DeliveryToPlan waiting) {
    const auto& delivery = waiting.delivery;
    const wire::WebhookHead head{.event = delivery.event, .delivery = delivery.id};
    auto event = wire::parse_stored_event(head, waiting.body);
    if (!event) {
        // It was parsed before it was stored, so this needs a person; it is kept, and others go
        // first.
        trouble(about(delivery.id, "cannot be read any more: ", event.error()));
        const auto now = around_.clock.now();
        ports::PlanCommit later{
            .delivery = delivery.id, .now = now, .again_at = now + limits::kReadAgain
        };
        static_cast<void>(co_await around_.store.commit_plan(std::move(later)));
        co_return false;
    }
    for (int round = 0; round < limits::kPlanConflictsMax; ++round) {
        auto commit = co_await decide(*event, delivery.received_at);
        if (!commit) {
            trouble(about(delivery.id, "", commit.error()));
            co_return false;
        }
        const bool decided = !commit->again_at;
        const auto receipt = co_await around_.store.commit_plan(*std::move(commit));
        if (receipt && !decided && receipt->created == 0) {
            co_return false; // nothing came of it yet
        }
        if (receipt) {
            around_.journal.note(ports::DeliveryPlanned{
                .delivery = delivery.id,
                .event = delivery.event,
                .created = receipt->created,
                .superseded = receipt->superseded,
                .cancelled = receipt->cancelled,
                .waited = around_.clock.now() - delivery.received_at,
            });
            around_.on_event(*event);
            around_.on_planned();
            co_return decided;
        }
        if (receipt.error().code != Errc::conflict) {
            trouble(about(delivery.id, "", receipt.error()));
            co_return false;
        }
    }
    co_return false;
}

asio::awaitable<Result<ports::PlanCommit>>
Planner::decide(domain::Event event, TimePoint received_at) {
    ports::PlanCommit commit{.delivery = event.delivery, .now = around_.clock.now()};
    if (!event.repository) {
        co_return commit; // an installation event: nothing is planned from it
    }
    commit.upstream = *event.repository;
    const auto rules = settings_.rules.find(commit.upstream);
    if (rules == settings_.rules.end()) {
        co_return commit; // an upstream that left the configuration: nobody is waiting for it
    }
    const auto allowlist = around_.book.find(commit.upstream);
    if (!allowlist) {
        commit.again_at = commit.now + limits::kPlanAgain; // nobody knows yet who is listed
        co_return commit;
    }
    BATON_CO_TRY(auto known, co_await known_of(event));
    auto people = domain::rights_wanted(event, known, *allowlist);
    auto rights = co_await rights_.rights_of(commit.upstream, people);
    commit.now =
        around_.clock.now(); // asking took a while, and the ledger tells when it was decided
    if (commit.now - received_at >= limits::kPlanLookupGiveUp) {
        for (const auto& login : people) {
            rights.known.try_emplace(login, domain::Permission::none);
        }
    }
    domain::PlanInput input{
        .event = std::move(event),
        .known = std::move(known),
        .now = commit.now,
        .label_prefixes = rules->second.label_prefixes,
        .suspensions = suspensions_,
        .check_prefix = rules->second.prefix,
        .gate_always = rules->second.gate_always,
        .app_id = settings_.app_id,
    };
    commit.plan = domain::plan(input, *allowlist, rights);
    if (commit.plan.undecided) {
        commit.again_at = commit.now + limits::kPlanAgain;
    }
    co_return commit;
}

/// A suite names its commit only; what was dispatched for that commit names the pull request.
asio::awaitable<Result<std::optional<PrNumber>>>
Planner::pull_request_at(RepoName upstream, HeadSha head) {
    ports::RunsQuery query{
        .upstream = std::move(upstream),
        .downstream = std::nullopt,
        .pr = std::nullopt,
        .head = std::move(head),
        .event_types = {"pull_request"},
        .ref = {},
        .limit = 1,
    };
    BATON_CO_TRY(const auto runs, co_await around_.store.runs(std::move(query)));
    co_return runs.empty() ? std::nullopt : runs.front().dispatch.pr;
}

asio::awaitable<Result<std::optional<domain::PullRequest>>> Planner::known_of(domain::Event event) {
    std::optional<PrNumber> number;
    if (const auto* pull = std::get_if<domain::PullRequestFacts>(&event.facts)) {
        number = pull->number;
    } else if (const auto* comment = std::get_if<domain::CommentFacts>(&event.facts)) {
        number = comment->number;
    }
    if (const auto* again = std::get_if<domain::RerequestFacts>(&event.facts)) {
        BATON_CO_TRY(number, co_await pull_request_at(*event.repository, again->head));
    }
    if (!number) {
        co_return std::nullopt;
    }
    ports::PullRequestQuery query{.upstream = *event.repository, .number = *number};
    auto known = co_await around_.store.pull_request(std::move(query));
    co_return known;
}

} // namespace baton::relay
