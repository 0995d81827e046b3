#include "baton/wire/metrics_json.hpp"

#include "baton/base/result.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/metric.hpp"
#include "baton/wire/bundle_files.hpp"
#include "baton/wire/json_fields.hpp"
#include "baton/wire/json_text.hpp"
#include "baton/wire/strict_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace baton::wire {

namespace {

constexpr const char* kSchema = "cpq-metrics/1";

std::string digest_of(const std::vector<std::string>& rows) {
    std::string all;
    for (const auto& row : rows) {
        all += row;
        all += '\n';
    }
    return crypto::sha256_hex(all);
}

std::string text_of(const quality::Metric& metric) {
    std::vector<std::string> figures;
    for (const auto& [name, amount] : metric.figures) {
        figures.push_back(
            fmt::format("{}: {}", json_quoted(name), json_quoted(quality::to_text(amount)))
        );
    }
    return fmt::format(
        R"({{"metric": {}, "formula": {}, "num": {}, "den": {}, "n": {}, "least": {}, )"
        R"("window": "{}/{}", "figures": {{{}}}, "verdict": "{}", "reason": {}, "rows": {}, )"
        R"("digest": "{}"}})",
        json_quoted(metric.name),
        json_quoted(metric.formula),
        metric.num,
        metric.den,
        metric.n,
        metric.least,
        quality::to_text(metric.window.from),
        quality::to_text(metric.window.to),
        fmt::join(figures, ", "),
        name_of(metric.verdict),
        json_quoted(metric.reason),
        metric.rows.size(),
        digest_of(metric.rows)
    );
}

std::string text_of(const quality::CountedFile& file) {
    return fmt::format(
        R"({{"name": {}, "sha256": "{}", "hardware": {}}})",
        json_quoted(file.name),
        file.sha256,
        json_quoted(file.hardware)
    );
}

/// One in a line.
template <class All> std::string list_of(const All& all) {
    std::vector<std::string> lines;
    for (const auto& one : all) {
        lines.push_back("\n    " + text_of(one));
    }
    return fmt::format("[{}]", fmt::join(lines, ","));
}

Result<std::int64_t> number_at(simdjson::dom::object in, const char* pointer) {
    const auto found = fields::member(in, pointer);
    std::int64_t number = 0;
    if (!found || found->get(number) != simdjson::SUCCESS || number < 0) {
        return fields::expected(pointer, "a number");
    }
    return number;
}

Result<MetricsSummary::Line> read_line(simdjson::dom::element element) {
    simdjson::dom::object metric;
    if (element.get(metric) != simdjson::SUCCESS) {
        return fields::expected("/metrics", "a list of objects");
    }
    BATON_TRY(const auto name, fields::text_at(metric, "/metric"));
    BATON_TRY(const auto verdict, fields::text_at(metric, "/verdict"));
    BATON_TRY(const auto num, number_at(metric, "/num"));
    BATON_TRY(const auto den, number_at(metric, "/den"));
    BATON_TRY(const auto n, number_at(metric, "/n"));
    return MetricsSummary::Line{
        .metric = std::string(name),
        .verdict = std::string(verdict),
        .num = num,
        .den = den,
        .n = n,
    };
}

} // namespace

std::string metrics_json(const quality::Snapshot& snapshot) {
    std::vector<std::string> reporting;
    for (const auto& target : snapshot.reporting) {
        reporting.push_back(json_quoted(target));
    }
    return fmt::format(
        R"({{
  "schema": "{}",
  "repo": {},
  "upstream": {},
  "as_of": "{}",
  "relay_level": {},
  "baseline": {},
  "reporting": [{}],
  "files": {},
  "metrics": {}
}}
)",
        kSchema,
        json_quoted(snapshot.repo),
        json_quoted(snapshot.upstream),
        quality::to_text(snapshot.as_of),
        snapshot.relay_level,
        json_quoted(snapshot.baseline),
        fmt::join(reporting, ", "),
        list_of(snapshot.files),
        list_of(snapshot.metrics)
    );
}

BundleFiles metrics_bundle(const quality::Snapshot& snapshot) {
    BundleFiles files{{kMetricsFile, metrics_json(snapshot)}};
    add_digests(files);
    return files;
}

Result<MetricsSummary> read_metrics(const std::string& json) {
    simdjson::dom::parser parser;
    BATON_TRY(const auto root, strict_object(parser, json));
    BATON_TRY(const auto schema, fields::text_at(root, "/schema"));
    if (schema != kSchema) {
        return fields::expected("/schema", kSchema);
    }
    BATON_TRY(const auto repo, fields::text_at(root, "/repo"));
    BATON_TRY(const auto as_of, fields::text_at(root, "/as_of"));
    BATON_TRY(const auto metrics, fields::array_if(root, "/metrics"));
    MetricsSummary summary{.repo = std::string(repo), .as_of = std::string(as_of), .lines = {}};
    if (!metrics) {
        return fields::expected("/metrics", "a list of objects");
    }
    for (const auto element : *metrics) {
        BATON_TRY(auto line, read_line(element));
        summary.lines.push_back(std::move(line));
    }
    return summary;
}

} // namespace baton::wire
