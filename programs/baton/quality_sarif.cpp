#include "quality_sarif.hpp"

#include "baton/quality/findings.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "print.hpp"

namespace baton::program {

namespace {

namespace json = boost::json;

json::object result_of(const SarifFile& file, const quality::Finding& finding) {
    json::object physical{
        {"artifactLocation", json::object{{"uri", json_text(file.path)}}},
    };
    if (finding.at.line > 0) {
        physical["region"] = json::object{
            {"startLine", finding.at.line}, {"startColumn", std::max(finding.at.column, 1)}
        };
    }
    const auto text =
        finding.hint.empty() ? finding.message : finding.message + "; " + finding.hint;
    return {
        {"ruleId", finding.code},
        {"level", finding.severity == quality::Severity::error ? "error" : "warning"},
        {"message", json::object{{"text", json_text(text)}}},
        {"locations", json::array{json::object{{"physicalLocation", std::move(physical)}}}},
    };
}

} // namespace

json::object to_sarif(const std::vector<SarifFile>& files) {
    json::array rules;
    for (const auto& rule : quality::finding_rules()) {
        rules.emplace_back(
            json::object{{"id", rule.code}, {"shortDescription", json::object{{"text", rule.text}}}}
        );
    }
    json::array results;
    for (const auto& file : files) {
        for (const auto& finding : file.findings) {
            results.emplace_back(result_of(file, finding));
        }
    }
    json::object driver{{"name", "baton"}, {"version", BATON_VERSION}, {"rules", std::move(rules)}};
    return {
        {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
        {"version", "2.1.0"},
        {"runs",
         json::array{json::object{
             {"tool", json::object{{"driver", std::move(driver)}}}, {"results", std::move(results)}
         }}},
    };
}

} // namespace baton::program
