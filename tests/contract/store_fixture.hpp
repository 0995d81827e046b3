#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/pull_request.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/store.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/run_awaitable.hpp"

namespace baton::test {

// --- values to store

inline TimePoint at(std::int64_t seconds) {
    return from_ms(1'800'000'000'000 + (seconds * 1000));
}

inline RepoName repo(const std::string& text) {
    return *RepoName::parse(text);
}

inline RepoName upstream() {
    return repo("Up/Stream");
}

inline ports::NewDelivery a_delivery(const std::string& id, TimePoint received_at = at(0)) {
    ports::NewDelivery delivery;
    delivery.id = DeliveryId(id);
    delivery.event = "pull_request";
    delivery.action = "opened";
    delivery.repository = "Up/Stream";
    delivery.pr = PrNumber{7};
    delivery.head = HeadSha("aaaa");
    delivery.received_at = received_at;
    delivery.body = "{\"body of\": \"" + id + "\"}";
    return delivery;
}

inline domain::NewDispatch a_dispatch(const std::string& delivery, const std::string& downstream) {
    domain::NewDispatch dispatch;
    dispatch.key = {
        .delivery = DeliveryId(delivery), .downstream = repo(downstream), .generation = 0
    };
    dispatch.upstream = upstream();
    dispatch.event_type = "pull_request";
    dispatch.pr = PrNumber{7};
    dispatch.head = HeadSha("aaaa");
    dispatch.level = domain::Level::l2;
    dispatch.device = "npu";
    dispatch.reason = "listed at L2";
    return dispatch;
}

inline domain::PullRequest a_pull_request(const std::string& head, std::int64_t version = 0) {
    domain::PullRequest pr;
    pr.upstream = upstream();
    pr.number = PrNumber{7};
    pr.head = HeadSha(head);
    pr.updated_at = at(1);
    pr.version = version;
    return pr;
}

inline ports::PlanCommit
a_plan(const std::string& delivery, std::vector<domain::NewDispatch> dispatches, TimePoint now) {
    ports::PlanCommit commit;
    commit.delivery = DeliveryId(delivery);
    commit.upstream = upstream();
    commit.plan.dispatches = std::move(dispatches);
    commit.now = now;
    return commit;
}

inline ports::LeaseQuery a_lease(const std::string& downstream, std::size_t count, TimePoint now) {
    ports::LeaseQuery query;
    query.holder = InstanceId("relay-1");
    query.shares = {{.downstream = repo(downstream), .count = count}};
    query.now = now;
    query.until = now + std::chrono::seconds{30};
    return query;
}

inline ports::Settlement
ended(const ports::Lease& lease, domain::DispatchState state, TimePoint now) {
    using domain::Outcome;
    ports::Settlement settlement;
    settlement.lease = lease;
    const bool sent = state == domain::DispatchState::sent;
    settlement.answer.outcome = sent ? Outcome::accepted : Outcome::not_sent;
    settlement.answer.status = sent ? 204 : 0;
    settlement.answer.detail = sent ? "" : "no connection";
    settlement.verdict.state = state;
    settlement.verdict.due_at = now + std::chrono::seconds{10};
    settlement.verdict.reason = "because";
    settlement.now = now;
    return settlement;
}

// --- the suite

/// A store and whatever has to live as long as it (a folder, a database).
struct OpenStore {
    std::shared_ptr<void> ground;
    std::unique_ptr<ports::Store> store;
};

struct StoreKind {
    std::string name;
    std::function<OpenStore()> open;
};

inline void PrintTo(const StoreKind& kind, std::ostream* out) {
    *out << kind.name;
}

/// One fresh store per test, spoken to from an event loop that lives for one verb.
class StoreContract : public testing::TestWithParam<StoreKind> {
protected:
    ports::Store& store() { return *open_.store; }

    /// Runs a verb that has to work.
    template <class T> static T must(boost::asio::awaitable<Result<T>> verb) {
        auto result = run_awaitable(std::move(verb));
        if (!result) {
            throw std::runtime_error(
                std::string(name_of(result.error().code)) + ": " + result.error().detail
            );
        }
        if constexpr (!std::is_void_v<T>) {
            return *std::move(result);
        }
    }

    /// Runs a verb that has to fail, and says how.
    template <class T> static Errc refused(boost::asio::awaitable<Result<T>> verb) {
        const auto result = run_awaitable(std::move(verb));
        if (result) {
            throw std::runtime_error("this should have been refused");
        }
        EXPECT_FALSE(result.error().detail.empty());
        return result.error().code;
    }

    /// A delivery with dispatches that are due from `now` on.
    void plant(
        const std::string& delivery,
        const std::vector<std::string>& downstreams,
        TimePoint now = at(0)
    ) {
        must(store().insert_delivery(a_delivery(delivery, now)));
        std::vector<domain::NewDispatch> dispatches;
        for (const auto& downstream : downstreams) {
            dispatches.push_back(a_dispatch(delivery, downstream));
        }
        must(store().commit_plan(a_plan(delivery, std::move(dispatches), now)));
    }

    ports::LeasedDispatch lease_one(const std::string& downstream, TimePoint now) {
        auto leased = must(store().lease(a_lease(downstream, 1, now)));
        if (leased.size() != 1) {
            throw std::runtime_error("nothing to lease for " + downstream);
        }
        return std::move(leased.front());
    }

    ports::DueView due_at(TimePoint now) {
        return must(store().due({.now = now, .running_for = std::chrono::hours{6}}));
    }

    ports::DeliveryHistory history_of(const std::string& delivery) {
        return must(store().delivery_history(DeliveryId(delivery)));
    }

    std::vector<std::string> kinds_in(const ports::DeliveryHistory& history) {
        std::vector<std::string> kinds;
        for (const auto& line : history.ledger) {
            kinds.push_back(line.kind);
        }
        return kinds;
    }

    std::size_t count_of(domain::DispatchState state) {
        for (const auto& [counted, number] : must(store().counts()).dispatches) {
            if (counted == state) {
                return number;
            }
        }
        throw std::runtime_error("a state that is not counted");
    }

private:
    OpenStore open_{GetParam().open()};
};

inline std::string kind_name(const testing::TestParamInfo<StoreKind>& info) {
    return info.param.name;
}

} // namespace baton::test
