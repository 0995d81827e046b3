#include "e2e/chaos/gathering.hpp"

#include "baton/base/ids.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/level.hpp"
#include "baton/ports/checks.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/downstream_book.hpp"
#include "baton/sim/downstream_script.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/sim_world.hpp"
#include "baton/store/tools.hpp"
#include "baton/wire/allowlist.hpp"

#include <boost/asio/io_context.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "e2e/account.hpp"
#include "e2e/chaos/history.hpp"
#include "e2e/chaos/traffic.hpp"
#include "e2e/chaos/visitors.hpp"
#include "e2e/stage.hpp"
#include "support/run_coroutine.hpp"

namespace baton::test {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t kPage = 500;
constexpr sim::Pace kPace{.queue = 50ms, .work = 200ms, .later = 500ms};

std::vector<ports::DeliveryHistory> ledger_of(Stage& stage) {
    std::vector<ports::DeliveryHistory> all;
    stage.with_store([&](ports::Store& store, boost::asio::io_context& io) {
        std::optional<std::int64_t> before;
        for (;;) {
            const auto page = run(io, store.list_deliveries({.before = before, .limit = kPage}));
            ASSERT_TRUE(page && *page);
            for (const auto& delivery : **page) {
                auto history = run(io, store.delivery_history(delivery.id));
                ASSERT_TRUE(history && *history) << delivery.id.text();
                all.push_back(**std::move(history));
                before = delivery.sequence;
            }
            if ((*page)->empty()) {
                return;
            }
        }
    });
    return all;
}

std::vector<sim::CheckRun>
checks_on(const sim::SimWorld& world, const std::vector<ports::DeliveryHistory>& ledger) {
    std::vector<sim::CheckRun> all;
    std::set<HeadSha> looked;
    const auto* upstream = world.model.repo(*RepoName::parse(Stage::kUpstream));
    for (const auto& one : ledger) {
        if (!one.delivery.pr || !looked.insert(one.delivery.head).second) {
            continue;
        }
        for (const auto* check : world.model.checks().of(upstream->id, one.delivery.head)) {
            all.push_back(*check);
        }
    }
    return all;
}

/// Sent to somebody who has to begin, and neither begun nor found silent.
bool is_awaited(const ports::DeliveryHistory& one) {
    return one.delivery.action != "closed" &&
           std::ranges::any_of(one.dispatches, [](const ports::DispatchHistory& row) {
               return row.dispatch.level >= domain::Level::l2 &&
                      row.dispatch.state == domain::DispatchState::sent;
           });
}

/// Nothing is to be planned, sent, said or posted, and nobody runs.
bool is_quiet(Stage& stage) {
    if (is_pending(stage.counts()) || !stage.is_all_said()) {
        return false;
    }
    bool rests = false;
    stage.with_store([&](ports::Store& store, boost::asio::io_context& io) {
        const auto results = run(io, store.result_counts());
        const auto checks = run(io, store.check_counts());
        rests = results && *results && (*results)->in_progress == 0 && checks && *checks &&
                (*checks)->waiting == 0 && (*checks)->looks == 0 && (*checks)->reruns == 0;
    });
    return rests;
}

} // namespace

std::string cast_config() {
    return fmt::format(
        "callbacks_per_minute: 60000\nretry: {{first: 100ms, longest: 1s}}\nrecovery_every: 5s\n"
        "start_timeout: {}s\nrun_timeout: {}s\ngate_start: 10s\ngate_run: 15s\ngate_settle: 1s\n",
        kStartTimeout.count(),
        kRunTimeout.count()
    );
}

void let_them_play(Stage& stage, const std::string& callback_url) {
    const std::vector<std::pair<std::string, sim::Script>> parts{
        {"one/a", sim::Script::pass},
        {"two/pass", sim::Script::pass},
        {"two/silent", sim::Script::silent},
        {"two/crash", sim::Script::crash},
        {"two/twice", sim::Script::duplicate},
        {"three/a", sim::Script::out_of_order},
        {"four/a", sim::Script::pass},
    };
    stage.github().with([&](sim::SimWorld& world) {
        for (const auto& [repo, script] : parts) {
            world.downstreams.play(
                *RepoName::parse(repo),
                {.script = script, .pace = kPace, .callback_url = callback_url}
            );
        }
    });
}

History gather(Stage& stage, const Traffic::Told& traffic, const Visitors::Told& visitors) {
    History history{
        .accepted = traffic.accepted,
        .entrusted = traffic.entrusted,
        .answers = traffic.answers,
        .page_answers = visitors.answers,
        .stream_gaps = visitors.gaps,
        .start_timeout = kStartTimeout,
        .run_timeout = kRunTimeout,
    };
    for (const auto& [status, count] : visitors.listening) {
        history.page_answers[status] += count;
    }
    const auto cast = wire::read_allowlist(kCast);
    for (const auto& downstream : cast.allowlist.value().downstreams()) {
        history.downstreams.push_back(downstream.repo);
    }
    history.ledger = ledger_of(stage);
    stage.github().with([&](sim::SimWorld& world) {
        history.received = world.model.dispatches().find({.limit = 10'000'000});
        const auto& sent = world.downstreams.sent();
        history.reports.assign(sent.begin(), sent.end());
        history.limits = world.limits.counts();
        history.checks = checks_on(world, history.ledger);
    });
    const auto verified = store::verify_store(stage.store_place(), [](const auto&) {});
    if (!verified) {
        history.damage.push_back(verified.error().detail);
        return history;
    }
    for (const auto& check : verified->checks) {
        for (const auto& finding : check.findings) {
            history.damage.push_back(fmt::format("db verify, {}: {}", check.what, finding));
        }
    }
    return history;
}

bool is_at_rest(Stage& stage, const Traffic::Told& traffic) {
    if (!is_quiet(stage)) {
        return false;
    }
    const auto ledger = ledger_of(stage);
    const auto has = [&](const DeliveryId& id) {
        return std::ranges::any_of(ledger, [&](const auto& one) { return one.delivery.id == id; });
    };
    if (!std::ranges::all_of(traffic.entrusted, has)) {
        return false;
    }
    // The last of them may have come while the ledger was read, and is to come to rest, too.
    return is_quiet(stage) && std::ranges::none_of(ledger_of(stage), is_awaited);
}

} // namespace baton::test
