#include "baton/hud/pull_failures.hpp"

#include "baton/base/ids.hpp"
#include "baton/domain/attribution.hpp"
#include "baton/domain/figures.hpp"
#include "baton/hud/pull_page.hpp"
#include "baton/ports/failures.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace baton::hud {

namespace {

using CellName = std::tuple<std::string_view, std::string_view, std::string_view>;

CellName name_of(const RepoName& repo, const std::string& workflow, const std::string& job) {
    return {repo.key(), workflow, job};
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
    std::map<CellName, const ports::CommitCell*> by_name;
    for (const auto& cell : around) {
        by_name.emplace(name_of(cell.downstream, cell.workflow, cell.job), &cell);
    }
    for (auto& backend : backends) {
        for (auto& cell : backend.cells) {
            const auto known = by_name.find(name_of(backend.repo, cell.workflow, cell.job));
            if (known != by_name.end()) {
                tell(cell, *known->second);
            }
        }
        tell_clusters(backend.failed_tests, around);
    }
}

} // namespace baton::hud
