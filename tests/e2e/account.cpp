#include "e2e/account.hpp"

#include "baton/base/ids.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/io_context.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>

#include "e2e/stage.hpp"
#include "support/run_coroutine.hpp"

namespace baton::test {

bool is_pending(const ports::Counts& counts) {
    return counts.to_plan > 0 || std::ranges::any_of(counts.dispatches, [](const auto& line) {
               return line.first == domain::DispatchState::pending && line.second > 0;
           });
}

Account audit(
    Stage& stage,
    const std::set<DeliveryId>& accepted,
    std::size_t downstreams,
    std::string_view leaving
) {
    Account account{.deliveries = accepted.size()};
    stage.with_store([&](ports::Store& store, boost::asio::io_context& io) {
        for (const auto& id : accepted) {
            const auto found = run(io, store.delivery_history(id));
            ASSERT_TRUE(found && *found) << id.text() << " got a 2xx and is not in the store";
            const auto& history = **found;
            EXPECT_GE(history.dispatches.size(), downstreams) << id.text();
            for (const auto& [dispatch, attempts, jobs] : history.dispatches) {
                if (dispatch.key.downstream.text() == leaving) {
                    continue; // cancelled or sent, as the moment would have it
                }
                const auto name =
                    fmt::format("{} to {}", id.text(), dispatch.key.downstream.text());
                const auto unknown = static_cast<std::size_t>(std::ranges::count_if(
                    attempts,
                    [](const ports::Attempt& attempt) {
                        return !attempt.outcome || *attempt.outcome == domain::Outcome::unknown;
                    }
                ));
                const auto received = stage.received(dispatch.key.downstream.text(), id);
                EXPECT_EQ(dispatch.state, domain::DispatchState::sent)
                    << name << ": " << dispatch.reason;
                EXPECT_GE(received, 1U) << name << " never arrived";
                EXPECT_LE(received, 1 + unknown) << name << " arrived too often";
                ++account.dispatches;
                account.repeats += received - std::min<std::size_t>(received, 1);
                account.unknown += unknown;
            }
        }
    });
    return account;
}

} // namespace baton::test
