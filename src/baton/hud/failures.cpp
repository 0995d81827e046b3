#include "baton/hud/failures.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/domain/attribution.hpp"
#include "baton/domain/figures.hpp"
#include "baton/ports/failures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::hud {

namespace {

constexpr char kBetween = '\x1f'; // stands in no name

/// Smaller comes first.
auto place_of(const ports::FlakyView& job) {
    return std::tuple(
        -flake_rate_of(job).low.value_or(0),
        job.at.upstream.key(),
        job.at.downstream.key(),
        job.workflow,
        job.job
    );
}

std::string cursor_of(const ports::FlakyView& job) {
    return fmt::format(
        "{1}{0}{2}{0}{3}{0}{4}{0}{5}{0}{6}",
        kBetween,
        job.flaky,
        job.passed,
        job.at.upstream.text(),
        job.at.downstream.text(),
        job.workflow,
        job.job
    );
}

/// The row that a cursor stands for.
std::optional<ports::FlakyView> row_of(std::string_view cursor) {
    std::array<std::string_view, 6> parts;
    for (auto& part : parts) {
        const auto end = cursor.find(kBetween);
        part = cursor.substr(0, end);
        const bool last = &part == &parts.back();
        if (last != (end == std::string_view::npos)) {
            return std::nullopt;
        }
        cursor = last ? std::string_view() : cursor.substr(end + 1);
    }
    const auto flaky = whole_number(parts[0]);
    const auto passed = whole_number(parts[1]);
    const auto upstream = RepoName::parse(parts[2]);
    const auto downstream = RepoName::parse(parts[3]);
    if (!flaky || !passed || *flaky > *passed || !upstream || !downstream) {
        return std::nullopt;
    }
    return ports::FlakyView{
        .at = {.upstream = *upstream, .downstream = *downstream},
        .workflow = std::string(parts[4]),
        .job = std::string(parts[5]),
        .flaky = static_cast<std::size_t>(*flaky),
        .passed = static_cast<std::size_t>(*passed),
    };
}

} // namespace

domain::Whose verdict_of(const ports::ClusterView& cluster) {
    domain::ClusterFacts facts{.pulls = cluster.pulls, .on_trunk = cluster.on_trunk};
    for (const auto& one : cluster.downstreams) {
        facts.downstreams.insert(one.repo);
    }
    return domain::verdict_of(facts);
}

domain::Rate flake_rate_of(const ports::FlakyView& job) {
    return domain::rate_of(job.flaky, job.passed);
}

void rank(std::vector<ports::FlakyView>& jobs) {
    std::ranges::sort(jobs, {}, place_of);
}

std::optional<FlakyPage>
page_behind(std::vector<ports::FlakyView> ranked, std::string_view cursor, std::size_t limit) {
    if (!cursor.empty()) {
        const auto last = row_of(cursor);
        if (!last) {
            return std::nullopt;
        }
        const auto place = place_of(*last);
        std::erase_if(ranked, [&place](const ports::FlakyView& job) {
            return place_of(job) <= place;
        });
    }
    FlakyPage page;
    if (ranked.size() > limit) {
        ranked.resize(limit);
        page.next = cursor_of(ranked.back());
    }
    page.rows = std::move(ranked);
    return page;
}

} // namespace baton::hud
