// The pages under /quality for programs and for those who read text: the same address with an
// ending.

#include "baton/api/hud_parts.hpp"
#include "baton/api/hud_query.hpp"
#include "baton/api/problem.hpp"
#include "baton/api/quality_seen.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/hud/quality.hpp"
#include "baton/hud/quality_pages.hpp"
#include "baton/hud/quality_shelf.hpp"
#include "baton/net/http.hpp"
#include "baton/net/server.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/changes.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/page.hpp"
#include "baton/quality/report.hpp"
#include "baton/wire/badge.hpp"
#include "baton/wire/gap_json.hpp"
#include "baton/wire/report_json.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::api {

namespace asio = boost::asio;
namespace json = boost::json;

namespace {

// --- what is asked for

struct SeenAssessment {
    SeenPlatform seen;
    const hud::ShelvedAssessment* one{nullptr};

    quality::Report report() const {
        return hud::report_of(*seen.shelf, seen.line, *one, seen.day);
    }
};

Result<SeenAssessment>
assessment_seen(const Around& around, std::string_view id, std::string_view release) {
    BATON_TRY(auto seen, platform_seen(around, id));
    BATON_TRY(const auto* const one, assessment_of(seen, release));
    return SeenAssessment{.seen = std::move(seen), .one = one};
}

/// Of a path that ends with a platform, or a platform and a release.
Result<SeenAssessment> captured_assessment(const Around& around, const HudQuery& query) {
    BATON_TRY(const auto id, query.captured(0));
    if (query.captures.size() < 2) {
        return assessment_seen(around, id, query.text("release"));
    }
    BATON_TRY(const auto release, query.captured(1));
    return assessment_seen(around, id, release);
}

/// `a` and `b` are "tessera-tx1-linux 2.14", as in the address of the page.
Result<SeenAssessment>
named_assessment(const Around& around, const HudQuery& query, std::string_view side) {
    BATON_TRY(const auto text, query.needed(side));
    const auto blank = text.rfind(' ');
    if (blank == std::string::npos) {
        return fail(
            Errc::invalid,
            fmt::format("{} must be a platform, a blank and a release: \"tpu-linux 2.14\"", side)
        );
    }
    return assessment_seen(around, text.substr(0, blank), text.substr(blank + 1));
}

struct Compared {
    SeenAssessment before;
    SeenAssessment after;
    quality::Changes changes;
};

Result<Compared> compared(const Around& around, const HudQuery& query) {
    BATON_TRY(auto before, named_assessment(around, query, "a"));
    BATON_TRY(auto after, named_assessment(around, query, "b"));
    const auto first = before.report();
    const auto second = after.report();
    auto changes = quality::changes(quality::scored(first), quality::scored(second));
    return Compared{
        .before = std::move(before), .after = std::move(after), .changes = std::move(changes)
    };
}

json::object name_json(const SeenAssessment& assessment) {
    const auto& said = assessment.one->assessment;
    return {
        {"platform", said.platform.id},
        {"name", said.platform.name},
        {"release", quality::to_text(said.release)},
    };
}

// --- as text

using Text = Result<std::string>;

Text matrix_text(const Around& around, const HudQuery& /*query*/) {
    const auto shelf = around->quality();
    const auto list = hud::quality_list_of(*shelf, around->desk.shown(), today(around));
    return quality::to_markdown(hud::matrix_page(*shelf, list, around->public_url));
}

Text card_text(const Around& around, const HudQuery& query) {
    BATON_TRY(const auto found, captured_assessment(around, query));
    return quality::to_markdown(quality::lay_out_card(found.report(), found.seen.line.history));
}

Text report_text(const Around& around, const HudQuery& query) {
    BATON_TRY(const auto found, captured_assessment(around, query));
    return quality::to_markdown(quality::lay_out(found.report()));
}

Text ways_text(const Around& around, const HudQuery& query) {
    BATON_TRY(const auto found, captured_assessment(around, query));
    return quality::to_markdown(quality::lay_out_ways(found.report(), found.one->gaps));
}

Text compared_text(const Around& around, const HudQuery& query) {
    BATON_TRY(const auto both, compared(around, query));
    return quality::to_markdown(
        quality::lay_out(both.changes, both.before.one->assessment, both.after.one->assessment)
    );
}

Text criteria_list_text(const Around& around, const HudQuery& /*query*/) {
    return quality::to_markdown(hud::criteria_page(*around->quality(), around->public_url));
}

Text criteria_text(const Around& around, const HudQuery& query) {
    BATON_TRY(const auto set, query.captured(0));
    BATON_TRY(const auto version, query.captured(1));
    const auto shelf = around->quality();
    BATON_TRY(const auto* const found, criteria_in(*shelf, set, version));
    return quality::to_markdown(found->set);
}

Text badge_text(const Around& around, const HudQuery& query) {
    const auto name = query.text("kind");
    const auto kind = quality::badge_kind_named(name.empty() ? "grade" : name);
    if (!kind) {
        return fail(Errc::invalid, "kind must be grade, documented or score");
    }
    BATON_TRY(const auto found, captured_assessment(around, query));
    return wire::draw_platform(quality::badge_words(found.report(), *kind));
}

// --- sending

struct Twin {
    std::string_view path;
    Text (*text)(const Around&, const HudQuery&);
    std::vector<std::string_view> parameters;
};

struct Form {
    std::string_view type;
    std::string_view kept;
};

constexpr Form kMarkdown{.type = "text/markdown; charset=utf-8", .kept = "no-cache"};
constexpr Form kPicture{.type = "image/svg+xml", .kept = "public, max-age=60"};

asio::awaitable<net::Response>
send(Around around, net::Request request, std::shared_ptr<const Twin> twin) {
    const HudQuery query(request);
    if (auto known = query.only(twin->parameters); !known) {
        co_return problem_of(known.error());
    }
    auto text = twin->text(around, query);
    if (!text) {
        co_return problem_of(text.error());
    }
    const auto form = twin->path.ends_with(".svg") ? kPicture : kMarkdown;
    co_return tagged(request.head, form.type, *std::move(text), form.kept);
}

std::vector<Twin> twins() {
    return {
        {"/quality.md", matrix_text, {}},
        {"/quality/{}.md", card_text, {}},
        {"/quality/{}/{}.md", report_text, {}},
        {"/quality/{}/gap.md", ways_text, {"release"}},
        {"/quality/compare.md", compared_text, {"a", "b"}},
        {"/quality/criteria.md", criteria_list_text, {}},
        {"/quality/criteria/{}/{}.md", criteria_text, {}},
        {"/quality/{}.svg", badge_text, {"kind"}},
    };
}

} // namespace

Answer quality_gap(Around around, net::Request request) {
    const HudQuery query(request);
    BATON_CO_TRY(const auto found, captured_assessment(around, query));
    auto shown = name_json(found);
    const auto& [path, set, assessment, score, all, findings] = *found.one;
    json::array gaps;
    for (const auto& gap : all) {
        gaps.push_back(wire::gap_object(*set, gap));
    }
    shown["criteria"] = quality::label_of(*set);
    shown["grade"] = quality::level_name(*set, score.level);
    shown["rank"] = score.level;
    shown["gaps"] = std::move(gaps);
    co_return shown;
}

Answer quality_compare(Around around, net::Request request) {
    const HudQuery query(request);
    BATON_CO_TRY(const auto both, compared(around, query));
    auto shown = wire::changes_object(both.changes);
    shown["a"] = name_json(both.before);
    shown["b"] = name_json(both.after);
    co_return shown;
}

std::vector<net::Route> quality_twin_routes(const Around& around) {
    std::vector<net::Route> routes;
    for (auto& one : twins()) {
        const auto twin = std::make_shared<const Twin>(std::move(one));
        routes.push_back({
            .method = "GET",
            .path = std::string(twin->path),
            .handler = [around, twin](net::Request request
                       ) { return send(around, std::move(request), twin); },
        });
    }
    return routes;
}

} // namespace baton::api
