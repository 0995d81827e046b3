#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/retry.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/store.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "contract/checks_player.hpp"
#include "contract/results_player.hpp"
#include "contract/store_fixture.hpp"
#include "contract/store_step.hpp"
#include "contract/store_text.hpp"
#include "support/run_awaitable.hpp"

/// A random life of a store, step by step: played against two stores it must give the same answers.
namespace baton::test {

/// Plays steps against one store and keeps what a relay would remember between them.
class Player {
public:
    explicit Player(ports::Store& store)
        : store_(&store) {}

    /// The same relay, remembering the same leases, in front of another store: a reopened one.
    void go_on_with(ports::Store& store) { store_ = &store; }

    /// A relay starts at this time: leases of the one before are void.
    std::string start(TimePoint when) {
        now_ = when;
        return answer(store_->adopt(InstanceId("relay-2"), now_));
    }

    std::string play(Step step) {
        now_ += std::chrono::seconds{step.seconds};
        switch (step.verb) {
        case 0:
        case 1:
            return insert(step);
        case 2:
        case 3:
        case 4:
            return plan(step);
        case 5:
        case 6:
            return lease(step);
        case 7:
        case 8:
            return settle(step);
        case 9:
            return answer(store_->cancel_pending(
                upstream(), repo(downstream_name(step.pick(4))), "left", now_
            ));
        case 10:
            return answer(store_->adopt(InstanceId("relay-2"), now_));
        case 11:
            return redeliver(step);
        case 12:
            return keep(step);
        case 13:
            return answer(store_->deliveries_to_plan(now_, static_cast<std::size_t>(step.pick(4))));
        case 14:
            return list(step);
        case 15:
        case 16:
            return play_report(*store_, step, now_);
        case 17:
            return play_sweep(*store_, step, now_);
        case 18:
            return play_letters(*store_, step, now_, letters_);
        case 19:
            return play_schedule(*store_, step, now_);
        case 20:
            return hold(step);
        case 21:
            return operate(step);
        case 22:
            return answer(
                store_->due({.now = now_, .running_for = std::chrono::seconds{step.pick(2000)}})
            );
        default:
            return play_checks(*store_, step, now_, checks_);
        }
    }

    /// Everything that can be seen from outside.
    std::string picture() {
        std::string text = answer(store_->counts());
        text += answer(store_->due({.now = now_, .running_for = std::chrono::hours{6}}));
        text += answer(store_->list_deliveries({}));
        text += answer(store_->suspensions(now_)) + answer(store_->downstream_figures(now_));
        text += answer(store_->pin_of(repo("a/one"))) + answer(store_->allowlists_at(now_));
        text += answer(store_->signing_keys()) + answer(store_->last_allowlist(upstream()));
        for (const auto number : {7, 8}) {
            text +=
                answer(store_->pull_request({.upstream = upstream(), .number = PrNumber{number}}));
        }
        text += picture_of_results(*store_) + picture_of_checks(*store_, now_);
        for (int i = 0; i < 6; ++i) {
            text += "\n" + answer(store_->delivery_history(DeliveryId(delivery_name(i))));
            text += answer(store_->body_of(DeliveryId(delivery_name(i))));
        }
        return text;
    }

private:
    std::string insert(Step step) {
        auto delivery = a_delivery(delivery_name(step.pick(6)), now_);
        delivery.event = step.pick(2) == 0 ? "pull_request" : "push";
        delivery.pr = PrNumber{7 + step.pick(2)};
        return answer(store_->insert_delivery(std::move(delivery)));
    }

    std::string plan(Step step) {
        auto commit = a_plan(delivery_name(step.pick(6)), {}, now_);
        const PrNumber number{7 + step.pick(2)};
        const HeadSha head(head_name(step.pick(3)));
        for (int i = step.pick(4); i > 0; --i) {
            // Mostly its own delivery, sometimes another one, as a late label does.
            auto source = step.pick(4) == 0 ? delivery_name(step.pick(6)) : commit.delivery.text();
            auto dispatch = a_dispatch(source, downstream_name(step.pick(4)));
            dispatch.pr = number;
            dispatch.head = head;
            dispatch.level = static_cast<domain::Level>(1 + step.pick(4));
            commit.plan.dispatches.push_back(std::move(dispatch));
        }
        if (step.pick(4) != 0) {
            const auto known =
                run_awaitable(store_->pull_request({.upstream = upstream(), .number = number}));
            auto& pr = commit.plan.pull_request.emplace(a_pull_request(head.text()));
            pr.number = number;
            pr.version = known && *known ? (*known)->version : 0;
            pr.version += step.pick(8) == 0 ? 1 : 0; // somebody was faster
            commit.plan.supersede_older = step.pick(2) == 0;
            commit.plan.cancel_pending = step.pick(3) == 0;
        }
        if (step.pick(4) == 0) {
            commit.again_at = now_ + std::chrono::seconds{step.pick(60)};
        }
        if (step.pick(3) == 0) {
            commit.plan.looks = {drawn_subject(step)};
            commit.plan.reruns = {drawn_rerun(step, commit.plan.looks.front())};
        }
        return answer(store_->commit_plan(std::move(commit)));
    }

    std::string lease(Step step) {
        auto query = a_lease(
            downstream_name(step.pick(4)), static_cast<std::size_t>(1 + step.pick(3)), now_
        );
        query.shares.push_back(
            {.downstream = repo(downstream_name(step.pick(4))),
             .count = static_cast<std::size_t>(step.pick(4))}
        );
        const auto leased = run_awaitable(store_->lease(std::move(query)));
        if (leased) {
            for (const auto& each : *leased) {
                leases_.push_back(each.lease);
            }
        }
        return text_of(leased);
    }

    std::string settle(Step step) {
        if (leases_.empty()) {
            return "nothing to settle";
        }
        // Mostly one of the newest leases and a retry: otherwise nothing is ever tried twice.
        const auto newest =
            std::min<std::size_t>(leases_.size(), step.pick(4) == 0 ? leases_.size() : 3);
        const auto which = leases_.size() - 1 - static_cast<std::size_t>(step.pick(newest));
        const auto other = domain::kDispatchStates[static_cast<std::size_t>(step.pick(8))];
        const auto state = step.pick(2) == 0 ? domain::DispatchState::pending : other;
        auto settlement = ended(leases_[which], state, now_);
        settlement.answer.outcome = static_cast<domain::Outcome>(1 + step.pick(7));
        settlement.verdict.trim = step.pick(3);
        return answer(store_->settle(std::move(settlement)));
    }

    std::string redeliver(Step step) {
        ports::RedeliverQuery query;
        query.now = now_;
        query.actor = "alice";
        query.limit = static_cast<std::size_t>(step.pick(4));
        if (step.pick(2) == 0) {
            query.delivery = DeliveryId(delivery_name(step.pick(6)));
        }
        if (step.pick(2) == 0) {
            query.downstream = repo(downstream_name(step.pick(4)));
        }
        query.states.clear();
        for (int i = step.pick(4); i > 0; --i) {
            query.states.push_back(domain::kDispatchStates[static_cast<std::size_t>(step.pick(8))]);
        }
        return answer(store_->redeliver(std::move(query)));
    }

    std::string keep(Step step) {
        if (step.pick(2) == 0) {
            return answer(store_->add_signing_key("secret " + std::to_string(step.draw), now_));
        }
        ports::AllowlistVersion version;
        version.upstream = upstream();
        version.text = std::to_string(step.draw);
        version.in_force_at = now_;
        return answer(store_->record_allowlist(std::move(version)));
    }

    std::string hold(Step step) {
        const auto downstream = repo(downstream_name(step.pick(4)));
        const auto of = step.pick(2) == 0 ? upstream() : RepoName{};
        if (step.pick(2) == 0) {
            ports::Resumption resumption{.downstream = downstream, .now = now_, .actor = "bob"};
            if (step.pick(2) == 0) {
                resumption.upstream = of;
            }
            return answer(store_->resume(std::move(resumption)));
        }
        domain::Suspension suspension{.downstream = downstream, .upstream = of, .since = now_};
        if (step.pick(2) == 0) {
            suspension.until = now_ + std::chrono::seconds{step.pick(30)};
        }
        return answer(store_->suspend(std::move(suspension)));
    }

    std::string operate(Step step) {
        switch (step.pick(5)) {
        case 0: {
            const auto id = delivery_name(step.pick(6));
            auto dispatch = a_dispatch(id, downstream_name(step.pick(4)));
            return answer(store_->insert_test(
                {.delivery = a_delivery(id, now_), .dispatch = std::move(dispatch), .now = now_}
            ));
        }
        case 1:
            return answer(store_->repin(
                {.repo = repo(downstream_name(step.pick(4))),
                 .repository_id = 1 + step.pick(9),
                 .owner_id = 1,
                 .pinned_at = now_}
            ));
        case 2:
            return answer(store_->enter_mode(ports::Mode::shadow, now_));
        case 3:
            return answer(store_->prune_bodies(
                {.now = now_,
                 .keep_for = std::chrono::seconds{step.pick(100)},
                 .after = step.pick(3),
                 .limit = static_cast<std::size_t>(1 + step.pick(5))}
            ));
        default:
            return answer(store_->enter_mode(ports::Mode::live, now_));
        }
    }

    std::string list(Step step) {
        ports::DeliveryPageQuery query;
        query.limit = static_cast<std::size_t>(step.pick(6));
        if (step.pick(2) == 0) {
            query.before = step.pick(6);
        }
        query.event = step.pick(3) == 0 ? "push" : "";
        if (step.pick(3) == 0) {
            query.pr = PrNumber{7 + step.pick(2)};
        }
        if (step.pick(2) == 0) {
            query.with_state = domain::kDispatchStates[static_cast<std::size_t>(step.pick(8))];
        }
        return answer(store_->list_deliveries(std::move(query)));
    }

    ports::Store* store_;
    TimePoint now_{at(0)};
    std::vector<ports::Lease> leases_;
    std::vector<ports::TakenLetter> letters_;
    ChecksAtHand checks_;
};

} // namespace baton::test
