// A real `baton serve` in which one socket call fails: the first, the second, and so on, until it
// makes no such call any more. Whichever it is, every webhook reaches every downstream, and twice
// only where the ledger says that nobody can know.
//
//     BATON_WALK_STRIDE=1 build/release/bin/e2e_relay --gtest_filter='*Socket*'      visits each
//     call

#include "baton/base/ids.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/github_types.hpp"

#include <boost/asio/io_context.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <future>
#include <iostream>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "e2e/stage.hpp"
#include "faults/shared_page.hpp"
#include "faults/socket_faults.hpp"
#include "support/postgres_place.hpp"
#include "support/process.hpp"
#include "support/raw_socket.hpp"
#include "support/run_coroutine.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;

const char* const kAllowlist = "L1: [one/a]\nL2: [two/a]\n";
const char* const kDownstreams[] = {"one/a", "two/a"};
const char* const kQuickly = "allowlist_refresh: 1s\nretry: {first: 20ms}";

/// Every so many calls, for a database is asked with hundreds of them; BATON_WALK_STRIDE=1 walks
/// over each.
std::uint64_t stride() {
    return std::max<std::uint64_t>(
        1, times("BATON_WALK_STRIDE", PostgresPlace::is_there() ? 25 : 3)
    );
}

struct Account {
    std::size_t repeats{0};
    std::size_t unknown{0};
};

/// A stage whose relay has the failing sockets.
class SocketStage {
public:
    SocketStage()
        : stage_({.allowlist = kAllowlist, .allowlist_on_github = true, .more_config = kQuickly})
        , page_(map_page<SocketFaultPage>(stage_.folder().file("sockets"))) {
        // Not its first start: then webhooks would wait seconds for the first allowlist.
        EXPECT_TRUE(start()) << stage_.log();
        EXPECT_TRUE(eventually(
            [this] { return stage_.log().find("downstreams=2") != std::string::npos; }, 20s
        )) << stage_.log();
        stops_cleanly();
    }

    Stage& stage() { return stage_; }

    SocketFaultPage& page() { return *page_; }

    std::uint64_t calls(SocketCall call) { return page_->calls[static_cast<std::size_t>(call)]; }

    /// The fault, from this moment on.
    void strike(SocketFault fault, std::uint64_t nth, bool lasting) {
        page_->fault = SocketFault::none;
        page_->candidates = 0;
        page_->struck = 0;
        page_->nth = nth;
        page_->lasting = lasting;
        page_->fault = fault;
    }

    bool start() {
        return stage_.start(
            {},
            {"LD_PRELOAD=" + beside_baton("libsocket_faults.so"),
             fmt::format("{}={}", kSocketFaultsVariable, stage_.folder().file("sockets"))}
        );
    }

    /// Posts until it is taken, as GitHub's redelivery does. One fault costs one answer at most;
    /// one of a database's wires may make it a 503.
    void post(const sim::Webhook& webhook) {
        const int first = stage_.post(webhook);
        const bool turned_away = first == 503 && stage_.database() != nullptr;
        EXPECT_TRUE(first == 202 || first == 0 || turned_away) << first;
        if (first != 202) {
            const int second = stage_.post(webhook);
            EXPECT_TRUE(second == 202 || second == 200) << second;
        }
    }

    bool comes_to_rest(const std::vector<sim::Webhook>& webhooks) {
        return eventually(
            [&] {
                const auto counts = stage_.counts();
                return counts.to_plan == 0 &&
                       std::ranges::none_of(
                           counts.dispatches,
                           [](const auto& line) {
                               return line.first == domain::DispatchState::pending &&
                                      line.second > 0;
                           }
                       ) &&
                       std::ranges::all_of(webhooks, [&](const sim::Webhook& webhook) {
                           return is_everywhere(webhook.id);
                       });
            },
            30s
        );
    }

    void stops_cleanly() {
        EXPECT_TRUE(stage_.relay().runs());
        const auto ending = stage_.ask_to_stop();
        ASSERT_TRUE(ending.has_value()) << "still running";
        EXPECT_EQ(ending->exit_code, 0) << "signal " << ending->signal;
    }

    /// Compares what GitHub received with what the ledger says of it.
    Account audit(const std::vector<sim::Webhook>& webhooks) {
        Account account;
        stage_.with_store([&](ports::Store& store, boost::asio::io_context& io) {
            for (const auto& webhook : webhooks) {
                const auto found = run(io, store.delivery_history(webhook.id));
                ASSERT_TRUE(found && *found) << "taken and not in the store";
                EXPECT_EQ((*found)->dispatches.size(), std::size(kDownstreams));
                for (const auto& [dispatch, attempts, jobs] : (*found)->dispatches) {
                    const auto unknown = static_cast<std::size_t>(
                        std::ranges::count(attempts, domain::Outcome::unknown, &outcome_of)
                    );
                    const auto received =
                        stage_.received(dispatch.key.downstream.text(), webhook.id);
                    EXPECT_EQ(dispatch.state, domain::DispatchState::sent) << dispatch.reason;
                    EXPECT_GE(received, 1U);
                    EXPECT_LE(received, 1 + unknown) << dispatch.key.downstream.text();
                    account.repeats += received - 1;
                    account.unknown += unknown;
                }
            }
        });
        return account;
    }

private:
    static domain::Outcome outcome_of(const ports::Attempt& attempt) {
        return attempt.outcome.value_or(domain::Outcome::unknown);
    }

    bool is_everywhere(const DeliveryId& id) {
        return std::ranges::all_of(kDownstreams, [&](const char* repo) {
            return stage_.received(repo, id) > 0;
        });
    }

    Stage stage_;
    SharedPage<SocketFaultPage> page_;
};

struct WalkCase {
    const char* name;
    SocketFault fault;
};

void PrintTo(const WalkCase& walk, std::ostream* out) {
    *out << walk.name;
}

/// The scenario: three webhooks to two downstreams, from start to SIGTERM.
Account live_through(SocketStage& sockets) {
    auto& stage = sockets.stage();
    const std::vector webhooks{stage.opened_pull(), stage.pushed(), stage.opened_pull()};
    for (const auto& webhook : webhooks) {
        sockets.post(webhook);
    }
    EXPECT_TRUE(sockets.comes_to_rest(webhooks)) << stage.log();
    const auto account = sockets.audit(webhooks);
    sockets.stops_cleanly();
    return account;
}

class SocketWalk : public testing::TestWithParam<WalkCase> {};

TEST_P(SocketWalk, AnyOneSocketCallMayFail) {
    SocketStage sockets;
    Account total;
    std::uint64_t nth = 1;
    std::uint64_t passages = 0;
    for (bool more = true; more && !HasFailure(); ++passages) {
        SCOPED_TRACE(testing::Message() << "socket call " << nth);
        sockets.strike(GetParam().fault, nth, false);
        if (sockets.start()) {
            const auto account = live_through(sockets);
            total.repeats += account.repeats;
            total.unknown += account.unknown;
        } else { // it could not listen, or had no database, and said so
            const bool may_be_any = sockets.stage().database() != nullptr;
            EXPECT_TRUE(may_be_any || sockets.page().struck_last == SocketCall::socket);
            const auto ending = sockets.stage().relay().wait(10s);
            ASSERT_TRUE(ending.has_value());
            EXPECT_EQ(ending->exit_code, 2) << sockets.stage().log();
            EXPECT_THAT(
                sockets.stage().log(),
                testing::AnyOf(
                    testing::HasSubstr("cannot listen on"),
                    testing::HasSubstr("the store's database ")
                )
            );
        }
        more = sockets.page().candidates >= nth;
        nth += more ? stride() : 0;
    }
    for (const auto call :
         {SocketCall::accept, SocketCall::connect, SocketCall::recv, SocketCall::sendmsg}) {
        EXPECT_GT(sockets.calls(call), 0U) << "baton uses another call now, which never fails here";
    }
    std::cout << fmt::format(
        "calls {}, passages {}, repeats {}, outcomes nobody can know {}\n",
        nth - 1,
        passages,
        total.repeats,
        total.unknown
    );
}

INSTANTIATE_TEST_SUITE_P(
    ,
    SocketWalk,
    testing::Values(
        WalkCase{"aborted", SocketFault::aborted},
        WalkCase{"reset", SocketFault::reset},
        WalkCase{"half", SocketFault::half},
        WalkCase{"torn", SocketFault::torn},
        WalkCase{"full", SocketFault::full}
    ),
    [](const auto& walk) { return std::string(walk.param.name); }
);

TEST(Sockets, MayMoveHalfOfTheBytesEachTime) {
    SocketStage sockets;
    sockets.strike(SocketFault::half, 1, true);
    ASSERT_TRUE(sockets.start()) << sockets.stage().log();
    const auto account = live_through(sockets);
    EXPECT_EQ(account.unknown, 0U);
    EXPECT_GT(sockets.page().struck, 100U);
}

/// Stops it as a debugger does, and waits until none of its threads runs.
void freeze(const Process& process) {
    process.send_signal(SIGSTOP);
    const auto threads = fmt::format("/proc/{}/task", process.id());
    const auto is_stopped = [](const std::filesystem::directory_entry& thread) {
        const auto state = slurp((thread.path() / "stat").string());
        return state.substr(std::min(state.size(), state.rfind(')') + 1)).starts_with(" T");
    };
    EXPECT_TRUE(eventually(
        [&] {
            return std::ranges::all_of(std::filesystem::directory_iterator(threads), is_stopped);
        },
        10s
    ));
}

TEST(Sockets, AConnectionThatEndedInTheQueueHoldsUpNobodyBehindIt) {
    constexpr std::size_t kQueued = 16; // some at each of the two acceptors
    SocketStage sockets;
    ASSERT_TRUE(sockets.start()) << sockets.stage().log();
    freeze(sockets.stage().relay());
    std::vector<RawSocket> queue;
    for (std::size_t i = 0; i < kQueued; ++i) {
        queue.push_back(RawSocket::connected_to(sockets.stage().port()));
        EXPECT_TRUE(queue.back().send("GET /healthz HTTP/1.1\r\nHost: baton\r\n\r\n"));
    }
    sockets.strike(SocketFault::aborted, 1, false);
    sockets.stage().relay().send_signal(SIGCONT);
    const auto answered = std::ranges::count_if(queue, [](RawSocket& socket) {
        return socket.receive_message().status() == 200;
    });
    EXPECT_EQ(static_cast<std::size_t>(answered), kQueued - 1);
    queue.clear();
    sockets.stops_cleanly();
}

/// No new descriptor for this process from now on: what a limit that is too low does one day.
void limit_descriptors_to(const Process& process, rlim_t count) {
    rlimit limit{};
    ASSERT_EQ(::prlimit(process.id(), RLIMIT_NOFILE, nullptr, &limit), 0);
    limit.rlim_cur = std::min(count, limit.rlim_max);
    ASSERT_EQ(::prlimit(process.id(), RLIMIT_NOFILE, &limit, nullptr), 0);
}

/// UBSan, which comes with ASan here, asks a pipe whether an object's memory can be read.
#if __has_feature(address_sanitizer)
constexpr bool kLooksThroughPipes = true;
#else
constexpr bool kLooksThroughPipes = false;
#endif

std::chrono::nanoseconds time_on_cpu(const Process& process) {
    clockid_t clock{};
    timespec spent{};
    EXPECT_EQ(::clock_getcpuclockid(process.id(), &clock), 0);
    EXPECT_EQ(::clock_gettime(clock, &spent), 0);
    return std::chrono::seconds(spent.tv_sec) + std::chrono::nanoseconds(spent.tv_nsec);
}

TEST(Sockets, WithoutADescriptorLeftItWaitsInsteadOfSpinningAndSaysWhy) {
    if (kLooksThroughPipes) {
        GTEST_SKIP() << "this build's own checks of pointers need a descriptor";
    }
    SocketStage sockets;
    auto& stage = sockets.stage();
    ASSERT_TRUE(sockets.start()) << stage.log();
    limit_descriptors_to(stage.relay(), 3);
    const std::vector webhooks{stage.pushed()};
    auto status = std::async(std::launch::async, [&] { return stage.post(webhooks[0]); });
    const auto said = [&] {
        return stage.log().find("cannot accept connections: Too many open files") !=
               std::string::npos;
    };
    EXPECT_TRUE(eventually(said, 20s)) << stage.log();
    const auto accepts_before = sockets.calls(SocketCall::accept);
    const auto cpu_before = time_on_cpu(stage.relay());
    std::this_thread::sleep_for(1s); // whoever spins does it now
    EXPECT_LT(sockets.calls(SocketCall::accept) - accepts_before, 200U);
    EXPECT_LT(time_on_cpu(stage.relay()) - cpu_before, 500ms);
    limit_descriptors_to(stage.relay(), RLIM_INFINITY);
    EXPECT_EQ(status.get(), 202);
    EXPECT_TRUE(sockets.comes_to_rest(webhooks)) << stage.log();
    EXPECT_EQ(sockets.audit(webhooks).repeats, 0U);
    EXPECT_EQ(stage.log().find(": cancelled\""), std::string::npos) << stage.log();
    sockets.stops_cleanly();
}

} // namespace
} // namespace baton::test
