#include "baton/hud/pull_failures.hpp"

#include "baton/base/ids.hpp"
#include "baton/domain/attribution.hpp"
#include "baton/domain/figures.hpp"
#include "baton/hud/pull_page.hpp"
#include "baton/ports/failures.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace baton::hud {

namespace {

const ports::CommitCell*
cell_around(const std::vector<ports::CommitCell>& around, const RepoName& repo, const Cell& cell) {
    const auto found = std::ranges::find_if(around, [&](const ports::CommitCell& one) {
        return one.downstream == repo && one.workflow == cell.workflow && one.job == cell.job;
    });
    return found == around.end() ? nullptr : &*found;
}

void tell(Cell& cell, const ports::CommitCell& known) {
    const auto there = known.trunk ? std::optional(known.trunk->outcome) : std::nullopt;
    if (const auto state = domain::against_base(cell.outcome, there)) {
        cell.against_base = AgainstTrunk{.state = *state, .trunk = known.trunk};
    }
    const bool fails = cell.outcome == domain::CellOutcome::failure ||
                       cell.outcome == domain::CellOutcome::timed_out ||
                       cell.outcome == domain::CellOutcome::flaky;
    if (fails && known.facts) {
        auto facts = *known.facts;
        facts.outcome = cell.outcome;
        cell.attribution = domain::attribute(facts);
    }
}

void tell(FailedTestOf& test, const ports::CommitCell& cell) {
    const auto found = std::ranges::find_if(cell.tests, [&test](const auto& one) {
        return one.job == test.job && one.place == test.place;
    });
    if (found == cell.tests.end() || !cell.facts) {
        return;
    }
    test.cluster = found->cluster;
    const auto seen =
        std::ranges::find(cell.facts->signatures, found->cluster, &domain::SeenSignature::cluster);
    if (seen != cell.facts->signatures.end()) {
        test.also_in = seen->on_commit.size() - seen->on_commit.count(cell.downstream);
        test.seen_before = seen->other_pulls;
    }
}

} // namespace

void tell_clusters(std::vector<FailedTestOf>& tests, const std::vector<ports::CommitCell>& around) {
    for (auto& test : tests) {
        for (const auto& cell : around) {
            tell(test, cell);
        }
    }
}

void tell_failures(
    std::vector<BackendOnPull>& backends, const std::vector<ports::CommitCell>& around
) {
    for (auto& backend : backends) {
        for (auto& cell : backend.cells) {
            if (const auto* known = cell_around(around, backend.repo, cell)) {
                tell(cell, *known);
            }
        }
        tell_clusters(backend.failed_tests, around);
    }
}

} // namespace baton::hud
