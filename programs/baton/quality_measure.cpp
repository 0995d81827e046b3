// What a relay's store says about a downstream's CI.

#include "quality_measure.hpp"

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/outage.hpp"
#include "baton/domain/profile.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/measuring.hpp"
#include "baton/ports/store.hpp"
#include "baton/ports/view_window.hpp"
#include "baton/quality/ci_metrics.hpp"
#include "baton/quality/metric.hpp"
#include "baton/store/measure.hpp"
#include "baton/wire/allowlist.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <utility>
#include <vector>

#include "levels.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

namespace asio = boost::asio;
using std::chrono::days;

/// Days on which the relay itself could not send: what was missed then is nobody else's outage.
asio::awaitable<Result<void>>
add_unwell_days(ports::Levels* levels, RepoName upstream, quality::CiFacts* facts) {
    const domain::Profile usual;
    for (auto day = facts->as_of - days{quality::kCycleDaysMax}; day < facts->as_of;
         day += days{1}) {
        const ports::ViewWindow window{.from = day, .until = day + days{1}};
        BATON_CO_TRY(const auto health, co_await levels->sending(upstream, window));
        if (static_cast<double>(health.unsent) >
            usual.unsent_max * static_cast<double>(health.dispatches)) {
            facts->cut.push_back({.from = window.from, .until = window.until});
        }
    }
    co_return Result<void>{};
}

/// By the list that was in force then; 0 when none named it.
asio::awaitable<Result<int>> level_at(ports::Store* store, Candidate candidate, TimePoint when) {
    BATON_CO_TRY(const auto versions, co_await store->allowlists_at(when));
    for (const auto& version : versions) {
        const auto reading = wire::read_allowlist(version.text);
        if (version.upstream != candidate.list.upstream || !reading.allowlist) {
            continue;
        }
        for (const auto& listed : reading.allowlist->downstreams()) {
            if (listed.repo == candidate.entry.repo) {
                co_return static_cast<int>(domain::listed_level(listed));
            }
        }
    }
    co_return 0;
}

asio::awaitable<Result<quality::CiFacts>> facts_of(
    ports::Store* store,
    ports::Levels* levels,
    ports::Measuring* measuring,
    Candidate candidate,
    MeasureWish wish
) {
    const ports::ViewWindow window{
        .from = wish.as_of - days{quality::kCycleDaysMax}, .until = wish.as_of
    };
    quality::CiFacts facts{
        .downstream = candidate.entry.repo,
        .evidence = {},
        .required_jobs = candidate.entry.required_jobs,
        .cut = {},
        .own_nightlies = {},
        .as_of = wish.as_of,
        .released = wish.released,
        .level = 0,
    };
    BATON_CO_TRY(facts.level, co_await level_at(store, candidate, wish.as_of));
    ports::EvidenceQuery query{.upstream = candidate.list.upstream, .window = window};
    BATON_CO_TRY(facts.evidence, co_await levels->evidence(std::move(query)));
    std::erase_if(facts.evidence.events, [&facts](const domain::LadderEvent& event) {
        return event.downstream != facts.downstream;
    });
    BATON_CO_TRY(facts.cut, co_await pauses_of(store, candidate, window.from, window.until));
    BATON_CO_CHECK(co_await add_unwell_days(levels, candidate.list.upstream, &facts));
    ports::MeasureQuery own{
        .upstream = candidate.list.upstream, .downstream = facts.downstream, .window = window
    };
    BATON_CO_TRY(facts.own_nightlies, co_await measuring->own_nightlies(std::move(own)));
    co_return facts;
}

asio::awaitable<Result<Measured>>
look(ports::Store* store, ports::Levels* levels, ports::Measuring* measuring, MeasureWish wish) {
    BATON_CO_TRY(
        const auto candidate, co_await find_candidate(store, wish.downstream, wish.upstream)
    );
    BATON_CO_TRY(const auto facts, co_await facts_of(store, levels, measuring, candidate, wish));
    ports::MeasureQuery query{
        .upstream = candidate.list.upstream,
        .downstream = candidate.entry.repo,
        .window = {.from = wish.as_of - days{quality::kFlakeDays}, .until = wish.as_of},
    };
    BATON_CO_TRY(auto attempts, co_await measuring->attempts(query));
    query.window.from = wish.as_of - days{quality::kLinkDays};
    Measured measured;
    BATON_CO_TRY(measured.links, co_await measuring->links(std::move(query), kLinksMost));
    measured.snapshot = {
        .repo = candidate.entry.repo.text(),
        .upstream = candidate.list.upstream.text(),
        .as_of = wish.as_of,
        .relay_level = facts.level,
        .baseline = {},
        .files = {},
        .metrics =
            {quality::gate_coverage(facts),
             quality::nightly_days(facts),
             quality::outages(facts),
             quality::flaky_observed(std::move(attempts), wish.as_of)},
        .reporting = {},
    };
    co_return measured;
}

} // namespace

Result<Measured> measure_store(const store::StoreToMeasure& opened, const MeasureWish& wish) {
    return run(look(opened.store.get(), opened.levels, opened.measuring, wish));
}

void measure_tests(const TestInputs& tests, quality::Snapshot& snapshot) {
    const auto& facts = tests.facts;
    const quality::TestBook book(facts);
    auto& metrics = snapshot.metrics;
    if (tests.baseline) {
        snapshot.baseline = tests.baseline->digest;
        snapshot.reporting = quality::reporting_of(*tests.baseline, book);
        metrics.push_back(quality::unit_coverage(*tests.baseline, book, facts));
        metrics.push_back(quality::benchmark_coverage(*tests.baseline, book, facts));
        metrics.push_back(quality::operator_coverage(*tests.baseline, book, facts));
    }
    metrics.push_back(quality::flaky_marked(
        tests.marks ? &*tests.marks : nullptr,
        tests.baseline ? &*tests.baseline : nullptr,
        book,
        facts
    ));
    for (const auto& file : facts.files) {
        snapshot.files.push_back(file.file);
    }
}

} // namespace baton::program
