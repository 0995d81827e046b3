#include "baton/quality/coverage.hpp"

#include "baton/base/text.hpp"
#include "baton/domain/outage.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/metric.hpp"
#include "baton/quality/test_ids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::quality {

namespace {

constexpr std::int64_t kMarkedLeast = 100;
constexpr std::string_view kTestFolder = "test/"; // tests are run from inside it
const std::vector<BaselineEntry> kNoEntries;

std::string without_folder(std::string_view id) {
    return std::string(id.starts_with(kTestFolder) ? id.substr(kTestFolder.size()) : id);
}

/// What the platform is for, as far as entries are exempt by it.
struct Scope {
    bool training{true};
    bool distributed{true};
};

Scope scope_of(const CoverageFacts& facts) {
    const auto has = [&facts](std::string_view word) {
        return std::ranges::find(facts.targets, word) != facts.targets.end();
    };
    return {.training = has("training"), .distributed = has("distributed")};
}

/// Deprecated, or about something that the platform is not for.
bool is_left_out(const BaselineEntry& entry, Scope scope) {
    return entry.deprecated || (entry.training && !scope.training) ||
           (entry.distributed && !scope.distributed);
}

std::string_view word_of(const std::optional<TestVerdict>& verdict) {
    if (!verdict) {
        return "absent";
    }
    switch (*verdict) {
    case TestVerdict::passed:
        return "passed";
    case TestVerdict::expected_failure:
        return "xfail";
    case TestVerdict::skipped:
        return "skipped";
    case TestVerdict::failed:
        return "failed";
    }
    return "";
}

Metric metric_named(std::string name, std::string formula, const TestBook& book, Window window) {
    return {
        .name = std::move(name),
        .formula = std::move(formula),
        .n = static_cast<std::int64_t>(book.files()),
        .least = 1,
        .window = window,
        .figures = {},
        .reason = {},
        .rows = {},
    };
}

/// True when the files cannot be counted: then the metric says so.
bool is_obstructed(Metric& metric, const TestBook& book) {
    if (lacks_data(metric, "test files")) {
        return true;
    }
    metric.verdict = book.obstacle();
    metric.reason = book.reason();
    return metric.verdict != MetricVerdict::measured;
}

/// Counts the entries of one kind that `verdict_of` says passed.
template <class VerdictOf>
void count_entries(
    Metric& metric, const Baseline& baseline, BaselineKind kind, Scope scope, VerdictOf verdict_of
) {
    std::int64_t told = 0;
    for (const auto& entry : baseline.entries) {
        if (entry.kind != kind || is_left_out(entry, scope)) {
            continue;
        }
        const std::optional<TestVerdict> verdict = verdict_of(entry.id);
        ++metric.den;
        told += verdict ? 1 : 0;
        metric.num += verdict == TestVerdict::passed ? 1 : 0;
        metric.rows.push_back(fmt::format("{}\t{}", entry.id, word_of(verdict)));
    }
    if (metric.den == 0 || told == 0) {
        metric.verdict = MetricVerdict::insufficient;
        metric.reason =
            metric.den == 0 ? "the baseline lists none" : "no file tells of any of them";
    }
}

} // namespace

TestBook::TestBook(const CoverageFacts& facts)
    : hardware_(facts.hardware.begin(), facts.hardware.end()) {
    if (hardware_.size() <= 1) {
        hardware_ = {""}; // one kind of device need not be named
    }
    for (const auto& file : facts.files) {
        take(file, facts);
    }
    look_for_obstacles(facts);
}

void TestBook::take(const TestFile& file, const CoverageFacts& facts) {
    ++files_;
    const auto hardware = hardware_.contains("") ? std::string() : file.file.hardware;
    const auto put = [&hardware](OfHardware& known, TestVerdict verdict) {
        const auto [place, fresh] = known.emplace(hardware, verdict);
        place->second = std::max(place->second, verdict);
    };
    for (const auto& result : file.results) {
        put(by_id_[baseline_id(result.id, facts.devices)], result.verdict);
        put(by_name_[result.name], result.verdict);
        if (!result.class_name.empty()) {
            put(by_name_[result.class_name + "/" + result.name], result.verdict);
        }
        for (const auto& name : result.operators) {
            auto& cases = operators_[name];
            cases.passed += result.verdict == TestVerdict::passed ? 1 : 0;
            cases.failed += result.verdict == TestVerdict::failed ? 1 : 0;
        }
    }
}

void TestBook::look_for_obstacles(const CoverageFacts& facts) {
    std::set<std::string> there;
    std::map<std::string, std::vector<std::string>> names; // by hardware: each ran all shards
    for (const auto& file : facts.files) {
        const auto& ran = file.ran_on;
        there.insert(hardware_.contains("") ? std::string() : file.file.hardware);
        auto& own = names[file.file.hardware];
        own.insert(own.end(), file.suites.begin(), file.suites.end());
        own.push_back(file.file.name.substr(file.file.name.rfind('/') + 1));
        if (ran && (*ran < facts.window.from || *ran >= facts.window.to)) {
            obstacle_ = MetricVerdict::insufficient;
            reason_ = fmt::format(
                "{} ran on {}, outside of {}/{}",
                inert(file.file.name),
                to_text(*ran),
                to_text(facts.window.from),
                to_text(facts.window.to)
            );
        }
    }
    for (const auto& [hardware, all] : names) {
        if (const auto missing = missing_shards(all); !missing.empty()) {
            obstacle_ = MetricVerdict::incomplete;
            reason_ = missing.front();
        }
    }
    for (const auto& needed : hardware_) {
        if (!facts.files.empty() && !there.contains(needed)) {
            obstacle_ = MetricVerdict::incomplete;
            reason_ = fmt::format("no test file is named as that of {}", inert(needed));
        }
    }
}

std::optional<TestVerdict> TestBook::worst(
    const std::map<std::string, OfHardware, std::less<>>& from, std::string_view id
) const {
    const auto found = from.find(id);
    if (found == from.end()) {
        return std::nullopt;
    }
    auto verdict = TestVerdict::passed;
    for (const auto& hardware : hardware_) {
        const auto own = found->second.find(hardware);
        if (own == found->second.end()) {
            return std::nullopt;
        }
        verdict = std::max(verdict, own->second);
    }
    return verdict;
}

std::optional<TestVerdict> TestBook::verdict_of(std::string_view id) const {
    const auto verdict = worst(by_id_, id);
    return verdict ? verdict : worst(by_id_, without_folder(id));
}

std::optional<TestVerdict> TestBook::verdict_of_named(std::string_view name) const {
    return worst(by_name_, name);
}

std::set<std::string> TestBook::ids() const {
    std::set<std::string> all;
    for (const auto& [id, verdicts] : by_id_) {
        all.insert(id);
    }
    return all;
}

Metric unit_coverage(const Baseline& baseline, const TestBook& book, const CoverageFacts& facts) {
    auto metric = metric_named(
        "ut_coverage", "passed / (baseline - deprecated - exempt)", book, facts.window
    );
    if (!is_obstructed(metric, book)) {
        const auto verdict_of = [&book](std::string_view id) { return book.verdict_of(id); };
        count_entries(metric, baseline, BaselineKind::unit, scope_of(facts), verdict_of);
    }
    return metric;
}

Metric
benchmark_coverage(const Baseline& baseline, const TestBook& book, const CoverageFacts& facts) {
    auto metric = metric_named(
        "benchmark_coverage",
        "cells with the right answer / (baseline - deprecated - exempt)",
        book,
        facts.window
    );
    if (!is_obstructed(metric, book)) {
        const auto verdict_of = [&book](std::string_view id) { return book.verdict_of_named(id); };
        count_entries(metric, baseline, BaselineKind::benchmark, scope_of(facts), verdict_of);
    }
    return metric;
}

Metric
operator_coverage(const Baseline& baseline, const TestBook& book, const CoverageFacts& facts) {
    auto metric = metric_named(
        "ops_coverage",
        "operators with a case that passes and none that fails / (baseline - deprecated)",
        book,
        facts.window
    );
    if (is_obstructed(metric, book)) {
        return metric;
    }
    const auto& operators = book.operators();
    const auto verdict_of = [&](std::string_view id) -> std::optional<TestVerdict> {
        const auto named = book.verdict_of_named(id);
        const auto cases = operators.find(std::string(id));
        if (cases == operators.end()) {
            return named;
        }
        if (cases->second.failed > 0 || named == TestVerdict::failed) {
            return TestVerdict::failed;
        }
        return cases->second.passed > 0 || named == TestVerdict::passed ? TestVerdict::passed
                                                                        : TestVerdict::skipped;
    };
    // Operators are exempt for nobody: a scope of everything.
    count_entries(metric, baseline, BaselineKind::operator_, Scope{}, verdict_of);
    return metric;
}

Metric flaky_marked(
    const std::vector<std::string>* marks,
    const Baseline* baseline,
    const TestBook& book,
    const CoverageFacts& facts
) {
    auto metric =
        metric_named("flaky_marked_pct", "20 * marked < known: marked / known", book, facts.window);
    metric.least = kMarkedLeast;
    metric.n = 0;
    if (marks == nullptr) {
        metric.verdict = MetricVerdict::insufficient;
        metric.reason = "which tests are marked is not known: --marks names the list";
        return metric;
    }
    std::set<std::string> marked;
    for (const auto& mark : *marks) {
        marked.insert(baseline_id(mark, facts.devices));
    }
    auto known = book.ids();
    known.insert(marked.begin(), marked.end());
    for (const auto& entry : baseline == nullptr ? kNoEntries : baseline->entries) {
        if (entry.kind == BaselineKind::unit && is_left_out(entry, scope_of(facts))) {
            known.erase(entry.id);
            known.erase(without_folder(entry.id));
        }
    }
    for (const auto& id : known) {
        const bool is_marked = marked.contains(id);
        metric.num += is_marked ? 1 : 0;
        metric.rows.push_back(fmt::format("{}\t{}", id, is_marked ? "marked" : "known"));
    }
    metric.den = static_cast<std::int64_t>(known.size());
    metric.n = metric.den;
    if (lacks_data(metric, "tests are known")) {
        return metric;
    }
    const bool low = domain::is_flaky_share_low(static_cast<std::size_t>(metric.num), known.size());
    metric.verdict = low ? MetricVerdict::met : MetricVerdict::unmet;
    metric.reason = low ? "" : fmt::format("{} of {} are marked", metric.num, metric.den);
    return metric;
}

std::vector<std::string> reporting_of(const Baseline& baseline, const TestBook& book) {
    std::set<std::string> targets;
    for (const auto& entry : baseline.entries) {
        const bool tagged = entry.training || entry.distributed;
        if (entry.kind != BaselineKind::unit || !tagged) {
            continue;
        }
        const auto verdict = book.verdict_of(entry.id);
        if (verdict == TestVerdict::passed || verdict == TestVerdict::failed) {
            if (entry.training) {
                targets.insert("training");
            }
            if (entry.distributed) {
                targets.insert("distributed");
            }
        }
    }
    return {targets.begin(), targets.end()};
}

} // namespace baton::quality
