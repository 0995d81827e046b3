#include "baton/relay/sweeper.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/operating.hpp"
#include "baton/ports/results.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace baton::relay {

namespace asio = boost::asio;

namespace {

constexpr Millis kEveryMost{std::chrono::seconds{30}};
constexpr Millis kEveryLeast{500};
constexpr std::size_t kSweepBatchMax = 1000;  // results made in one transaction
constexpr std::size_t kRecheckBatchMax = 20;  // commits asked for in one round
constexpr std::size_t kRecheckTurnMax = 1000; // then the oldest are asked for again
constexpr std::size_t kPinBatchMax = 5;       // repositories asked about in one round
constexpr std::chrono::hours kPinAgain{1};    // one that GitHub could not tell about

/// GitHub is in trouble or tired of us: asking about the next one would be no better.
bool is_about_github(const Error& error) {
    return error.code == Errc::unavailable || error.code == Errc::throttled ||
           error.code == Errc::timed_out || error.code == Errc::unauthenticated;
}

} // namespace

Sweeper::Sweeper(Settings settings, Surroundings around)
    : settings_(std::move(settings))
    , around_(std::move(around)) {}

void Sweeper::trouble(std::string detail) {
    around_.journal.note(
        ports::Trouble{.healed = true, .where = "sweeper", .detail = std::move(detail)}
    );
}

asio::awaitable<void> Sweeper::run() {
    const auto every = std::clamp<Millis>(settings_.start_timeout / 10, kEveryLeast, kEveryMost);
    for (;;) {
        co_await around_.clock.sleep_until(around_.clock.now() + every);
        if (around_.leads()) {
            co_await round();
        }
    }
}

asio::awaitable<void> Sweeper::round() {
    const auto swept = co_await sweep();
    if (!swept) {
        trouble(swept.error().detail);
    }
    const auto rechecked = co_await recheck_commits();
    if (!rechecked) {
        trouble(rechecked.error().detail);
    }
    const auto pinned = co_await pin_repositories();
    if (!pinned) {
        trouble(pinned.error().detail);
    }
}

ports::SweepQuery Sweeper::question() const {
    ports::SweepQuery query{
        .now = around_.clock.now(),
        .waits = {.start = settings_.start_timeout, .run = settings_.run_timeout},
        .own = {},
        .sinks = settings_.sinks,
        .limit = kSweepBatchMax,
    };
    for (const auto& upstream : settings_.upstreams) {
        const auto allowlist = around_.book.find(upstream);
        if (!allowlist) {
            continue; // nothing was ever sent on its behalf
        }
        for (const auto& listed : allowlist->downstreams()) {
            if (listed.start_timeout || listed.run_timeout) {
                query.own[{upstream, listed.repo}] = {
                    .start = listed.start_timeout.value_or(settings_.start_timeout),
                    .run = listed.run_timeout.value_or(settings_.run_timeout),
                };
            }
        }
    }
    return query;
}

asio::awaitable<Result<void>> Sweeper::sweep() {
    for (bool more = true; more;) {
        auto query = question();
        BATON_CO_TRY(const auto swept, co_await around_.store.sweep(std::move(query)));
        tell(swept);
        more = swept.silent.size() >= kSweepBatchMax || swept.unheard.size() >= kSweepBatchMax;
    }
    co_return Result<void>{};
}

void Sweeper::tell(const ports::Swept& swept) {
    for (const auto& silence : swept.silent) {
        around_.journal.note(ports::SilenceNoted{
            .dispatch = silence.dispatch,
            .downstream = silence.downstream,
            .superseded = silence.superseded,
        });
    }
    for (const auto& job : swept.unheard) {
        if (job.conclusion != domain::Conclusion::timed_out) {
            continue; // it stopped as it was told: no news
        }
        around_.journal.note(ports::JobTimedOut{
            .job = job.id,
            .downstream = job.subject.downstream,
            .workflow = job.key.workflow,
            .name = job.key.job,
        });
    }
    if (!swept.unheard.empty() || !swept.silent.empty()) {
        around_.on_recorded();
    }
}

/// The oldest that were not asked for in vain since the last time round: those whose upstream never
/// answers must not stand before the others for ever.
asio::awaitable<Result<std::vector<domain::Job>>> Sweeper::next_to_recheck() {
    if (asked_in_vain_.size() >= kRecheckTurnMax) {
        asked_in_vain_.clear();
    }
    const auto enough = kRecheckBatchMax + asked_in_vain_.size();
    BATON_CO_TRY(auto jobs, co_await around_.store.unverified_jobs(enough));
    const auto waits = [this](const domain::Job& job) { return asked_in_vain_.contains(job.id); };
    if (std::ranges::all_of(jobs, waits)) {
        asked_in_vain_.clear(); // everybody had a turn
    }
    std::erase_if(jobs, waits);
    jobs.resize(std::min(jobs.size(), kRecheckBatchMax));
    co_return jobs;
}

asio::awaitable<Result<void>> Sweeper::recheck_commits() {
    BATON_CO_TRY(const auto jobs, co_await next_to_recheck());
    std::set<RepoName> silent; // upstreams about which GitHub says nothing
    for (const auto& job : jobs) {
        const auto& upstream = job.subject.upstream;
        if (silent.contains(upstream)) {
            asked_in_vain_.insert(job.id);
            continue;
        }
        const auto known = co_await around_.github.has_commit(upstream, job.subject.head);
        if (!known) {
            trouble(fmt::format(
                "whether {} has {} cannot be asked yet: {}",
                upstream.text(),
                job.subject.head.text(),
                known.error().detail
            ));
            silent.insert(upstream);
            asked_in_vain_.insert(job.id);
            continue;
        }
        const auto check = *known ? domain::CommitCheck::known : domain::CommitCheck::unknown;
        BATON_CO_CHECK(co_await around_.store.settle_commit(job.id, check, around_.clock.now()));
    }
    co_return Result<void>{};
}

/// The highest levels first: their results count.
std::vector<RepoName> Sweeper::unpinned() const {
    std::multimap<domain::Level, RepoName, std::greater<>> by_level;
    for (const auto& upstream : settings_.upstreams) {
        const auto allowlist = around_.book.find(upstream);
        if (!allowlist) {
            continue;
        }
        for (const auto& listed : allowlist->downstreams()) {
            const auto again = ask_again_.find(listed.repo);
            const bool waits = again != ask_again_.end() && around_.clock.now() < again->second;
            if (!waits && !pinned_.contains(listed.repo)) {
                by_level.emplace(listed.level, listed.repo);
            }
        }
    }
    std::vector<RepoName> repos;
    for (auto& [level, repo] : by_level) {
        repos.push_back(std::move(repo));
    }
    return repos;
}

asio::awaitable<Result<void>> Sweeper::pin_repositories() {
    std::size_t asked = 0;
    for (const auto& repo : unpinned()) {
        if (asked == kPinBatchMax) {
            break;
        }
        BATON_CO_TRY(const auto pin_in_force, co_await around_.store.pin_of(repo));
        if (pin_in_force) {
            pinned_.insert(repo);
            continue;
        }
        ++asked;
        BATON_CO_TRY(const bool goes_on, co_await pin(repo));
        if (!goes_on) {
            break;
        }
    }
    co_return Result<void>{};
}

/// False when GitHub is not to be asked about others either.
asio::awaitable<Result<bool>> Sweeper::pin(RepoName repo) {
    const auto ids = co_await around_.github.repository_ids(repo);
    if (!ids && is_about_github(ids.error())) {
        trouble(ids.error().detail);
        co_return false;
    }
    if (!ids) { // the App is not installed there yet, most likely: its token will pin it
        ask_again_[repo] = around_.clock.now() + kPinAgain;
        co_return true;
    }
    ports::Pin pin{
        .repo = repo,
        .repository_id = ids->repository,
        .owner_id = ids->owner,
        .pinned_at = around_.clock.now(),
        .actor = "relay",
    };
    BATON_CO_CHECK(co_await around_.store.pin_first(std::move(pin)));
    pinned_.insert(repo);
    ask_again_.erase(repo);
    co_return true;
}

} // namespace baton::relay
