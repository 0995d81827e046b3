#pragma once

// A house's own criteria, and assessments by them, as files.

#include "baton/base/ids.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/hud/quality_shelf.hpp"
#include "baton/hud/shown.hpp"
#include "baton/quality/assessment.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::hud {

inline constexpr std::string_view kCriteria = R"(schema: cpq-criteria/1
set: house
version: "1"
sections: [{id: A, title: All}]
levels:
  - {rank: 2, name: Good, require: {all_priority: P0, percent: 80}}
  - {rank: 1, name: Fair, require: {percent: 50}}
  - {rank: 0, name: Poor, require: {}}
items:
  - {id: A-1, section: A, doc: {id: "1"}, title: First, priority: P0, kind: bin, max: 6, evidence: {max_age_days: 30}, interpretations: [A13]}
  - {id: A-2, section: A, doc: {id: "2"}, title: Second, priority: P1, kind: bin, max: 4, interpretations: [A13, A2]}
)";

inline const auto kToday = *quality::parse_day("2026-11-16");

/// What an assessment says.
struct Said {
    std::string platform{"one"};
    std::string release{"2.14"};
    std::string first{"met"};
    std::string second{"unknown"};
    std::string captured{"2026-11-01"};
    std::string repo{"down/one"};
    std::string rest{};
};

inline QualityText said(const Said& what) {
    return {
        .path = fmt::format("{}/{}.yml", what.platform, what.release),
        .text = fmt::format(
            R"(schema: cpq-assessment/1
criteria: {{set: house, version: "1"}}
platform: {{id: {0}, name: The {0}, vendor: Somebody, class: accelerator, targets: [training], backend: {{kind: privateuse1, repo: {5}}}}}
release: {{pytorch: "{1}"}}
assessed: {{on: 2026-11-02, by: [somebody], status: submitted}}
evidence:
  page: {{type: url, url: "https://example.org/", captured: {4}}}
items:
  A-1: {{claim: {2}, ev: [page]}}
  A-2: {{claim: {3}{7}}}
{6})",
            what.platform,
            what.release,
            what.first,
            what.second,
            what.captured,
            what.repo,
            what.rest,
            what.second == "met" ? ", ev: [page]" : ""
        )
    };
}

inline QualityShelf shelf(std::vector<QualityText> assessments) {
    QualityTexts texts;
    texts.configured = true;
    texts.criteria = {{.path = "house.yml", .text = std::string(kCriteria)}};
    texts.assessments = std::move(assessments);
    return shelf_of(std::move(texts));
}

inline Shown shown(bool open = true) {
    domain::Allowlist list;
    domain::Downstream downstream;
    downstream.repo = *RepoName::parse("down/one");
    downstream.visibility = open ? domain::Visibility::open : domain::Visibility::closed;
    EXPECT_TRUE(list.add(downstream));
    return Shown(
        {{.upstream = *RepoName::parse("up/stream"),
          .allowlist = std::make_shared<const domain::Allowlist>(std::move(list)),
          .trouble = ""}}
    );
}

} // namespace baton::hud
