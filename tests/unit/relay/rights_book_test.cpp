#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/quota.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/github.hpp"
#include "baton/relay/rights_book.hpp"
#include "baton/sim/virtual_clock.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "support/memory_journal.hpp"

namespace baton::relay {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

constexpr TimePoint kNow = from_ms(1'800'000'000'000);
const RepoName kUpstream = *RepoName::parse("up/stream");

/// Answers about people after `takes`; about nothing else.
class SlowGithub final : public ports::Github {
public:
    explicit SlowGithub(ports::Clock& clock)
        : clock_(clock) {}

    asio::awaitable<domain::Answer> dispatch(ports::DispatchCall /*call*/) override {
        co_return domain::Answer{};
    }

    asio::awaitable<Result<std::optional<ports::FileVersion>>> read_file(ports::FileQuery /*query*/
    ) override {
        co_return std::nullopt;
    }

    asio::awaitable<Result<domain::Permission>> permission(ports::PermissionQuery /*query*/
    ) override {
        ++asked;
        co_await clock_.sleep_until(clock_.now() + takes);
        co_return domain::Permission::triage;
    }

    asio::awaitable<Result<domain::ImmutableIds>> repository_ids(RepoName /*repo*/) override {
        co_return domain::ImmutableIds{};
    }

    asio::awaitable<Result<HeadSha>> head_of(RepoName /*repo*/, std::string /*ref*/) override {
        co_return HeadSha("");
    }

    asio::awaitable<Result<bool>> has_commit(RepoName /*repo*/, HeadSha /*sha*/) override {
        co_return true;
    }

    asio::awaitable<ports::Posted> post_check(ports::CheckCall /*call*/) override {
        co_return ports::Posted{};
    }

    asio::awaitable<ports::Posted> post_comment(ports::CommentCall /*call*/) override {
        co_return ports::Posted{};
    }

    asio::awaitable<Result<std::optional<std::int64_t>>> find_check(ports::CheckQuery /*query*/
    ) override {
        co_return std::optional<std::int64_t>{};
    }

    asio::awaitable<Result<std::optional<std::int64_t>>>
    find_comment(ports::CommentQuery /*query*/) override {
        co_return std::optional<std::int64_t>{};
    }

    asio::awaitable<Result<ports::RerunAnswer>> rerun(ports::RerunCall /*call*/) override {
        co_return ports::RerunAnswer::refused;
    }

    asio::awaitable<Result<void>> check_access() override { co_return Result<void>{}; }

    asio::awaitable<Result<ports::HookPage>> hook_log(std::string /*cursor*/) override {
        co_return ports::HookPage{};
    }

    asio::awaitable<Result<void>> ask_again(std::int64_t /*try_id*/) override {
        co_return Result<void>{};
    }

    asio::awaitable<Result<ports::PullsPage>> open_pulls(ports::PullsQuery /*query*/) override {
        co_return ports::PullsPage{};
    }

    asio::awaitable<Result<ports::PullView>> pull(RepoName /*repo*/, PrNumber /*number*/) override {
        co_return fail(Errc::not_found, "nobody asks");
    }

    const domain::QuotaBook& quotas() const override { return quotas_; }

    void hear(const domain::OthersQuotas& others, TimePoint now) override {
        quotas_.hear(others, now);
    }

    Millis takes{10};
    int asked{0};

private:
    ports::Clock& clock_;
    domain::QuotaBook quotas_;
};

class Rights : public ::testing::Test {
protected:
    std::size_t known(std::set<Login> people) {
        std::optional<domain::Rights> told;
        asio::co_spawn(
            io,
            book.rights_of(kUpstream, std::move(people)),
            [&told](const std::exception_ptr& thrown, domain::Rights rights) {
                EXPECT_EQ(thrown, nullptr);
                told = std::move(rights);
            }
        );
        EXPECT_EQ(sim::run_until_quiet(io, clock, {.until = clock.now() + 1h}), sim::RunEnd::quiet);
        EXPECT_TRUE(told.has_value());
        return told ? told->known.size() : 0;
    }

    asio::io_context io;
    sim::VirtualClock clock{kNow};
    test::MemoryJournal journal;
    SlowGithub github{clock};
    RightsBook book{{.github = github, .clock = clock, .journal = journal}};
};

TEST_F(Rights, AreAskedOnceAndRememberedForAWhile) {
    EXPECT_EQ(known({Login("ann"), Login("bob")}), 2U);
    EXPECT_EQ(known({Login("ann")}), 1U);
    EXPECT_EQ(github.asked, 2);
    clock.advance(limits::kRightsRemembered);
    EXPECT_EQ(known({Login("ann")}), 1U);
    EXPECT_EQ(github.asked, 3);
}

TEST_F(Rights, HoldADeliveryNoLongerThanTheirOwnTime) {
    github.takes = limits::kGithubCallWait;
    EXPECT_EQ(known({Login("ann"), Login("bob"), Login("cy")}), 0U);
    EXPECT_EQ(clock.now(), kNow + limits::kRightsWait); // once, not once per person
    EXPECT_EQ(github.asked, 1);
    EXPECT_EQ(journal.all<ports::Trouble>().size(), 1U);
}

TEST_F(Rights, AreAskedAgainWhenASilentGithubMayBeBack) {
    github.takes = limits::kGithubCallWait;
    EXPECT_EQ(known({Login("ann")}), 0U);
    github.takes = 10ms;
    EXPECT_EQ(known({Login("bob")}), 0U); // still taken for silent
    clock.advance(limits::kPlanAgain);
    EXPECT_EQ(known({Login("ann"), Login("bob")}), 2U);
}

} // namespace
} // namespace baton::relay
