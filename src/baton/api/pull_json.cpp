#include "baton/api/hud_json.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/attribution.hpp"
#include "baton/domain/check.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/signature.hpp"
#include "baton/hud/pull_page.hpp"
#include "baton/ports/checks.hpp"
#include "baton/ports/failures.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <utility>

namespace baton::api {

namespace json = boost::json;

namespace {

json::object evidence_json(const domain::Evidence& one) {
    return {
        {"rule", domain::name_of(one.rule)},
        {"verdict", domain::name_of(one.verdict)},
        {"weight", one.weight},
        {"text", one.text},
        {"link", one.link},
    };
}

json::value attribution_json(const std::optional<domain::Attribution>& made) {
    if (!made) {
        return nullptr;
    }
    return json::object{
        {"verdict", domain::name_of(made->verdict)},
        {"confidence", domain::name_of(made->confidence)},
        {"evidence", array_of(made->evidence, evidence_json)},
        {"would_change", made->would_change},
    };
}

json::object trunk_json(const ports::TrunkCell& trunk) {
    return {
        {"sha", trunk.head.text()},
        {"event_type", trunk.event_type},
        {"at", to_rfc3339(trunk.at)},
        {"outcome", domain::name_of(trunk.outcome)},
        {"job", static_cast<std::int64_t>(trunk.job)},
    };
}

json::value against_base_json(const std::optional<hud::AgainstTrunk>& against) {
    if (!against) {
        return nullptr;
    }
    return json::object{
        {"state", domain::name_of(against->state)},
        {"compared_to",
         against->trunk ? json::value(trunk_json(*against->trunk)) : json::value(nullptr)},
    };
}

json::object cell_json(const hud::Cell& cell) {
    return {
        {"workflow", cell.workflow},
        {"job", cell.job},
        {"outcome", domain::name_of(cell.outcome)},
        {"attempts", array_of(cell.attempts)},
        {"against_base", against_base_json(cell.against_base)},
        {"attribution", attribution_json(cell.attribution)},
    };
}

json::object backend_json(const hud::BackendOnPull& backend) {
    json::object written{
        {"repo", backend.repo.text()},
        {"device", backend.device},
        {"blocking", backend.blocking},
        {"blocking_unknown", backend.blocking_unknown},
        {"gate_rule", backend.gate_rule},
        {"outcome", hud::name_of(backend.standing)},
        {"reason", backend.reason},
        {"state", domain::name_of(backend.state)},
        {"dispatched_at", json_of(backend.dispatched_at)},
        {"cells", array_of(backend.cells, cell_json)},
        {"failed_tests", array_of(backend.failed_tests)},
    };
    put_levels(written, backend.level, backend.lowered_from);
    return written;
}

json::object withheld_json(const hud::Withheld& one) {
    json::object written{{"repo", one.repo.text()}, {"reason", one.reason}};
    put_levels(written, one.level, one.lowered_from);
    return written;
}

json::object happening_json(const hud::Happening& happening) {
    return {
        {"at", to_rfc3339(happening.at)},
        {"kind", happening.kind},
        {"delivery", happening.delivery},
        {"downstream", happening.downstream},
        {"text", happening.text},
    };
}

} // namespace

json::object json_of(const hud::FailedTestOf& test) {
    return {
        {"name", test.test.name},
        {"message", test.test.message},
        {"job", static_cast<std::int64_t>(test.job)},
        {"cluster",
         test.cluster ? json::value(domain::to_text(*test.cluster)) : json::value(nullptr)},
        {"also_in", test.also_in},
        {"seen_before", test.seen_before},
    };
}

json::object json_of(const ports::KeptPosting& check) {
    const auto& shown = check.check;
    return {
        {"name", shown.name},
        {"status", domain::name_of(shown.status)},
        {"conclusion",
         shown.conclusion ? json::value(domain::name_of(*shown.conclusion)) : json::value(nullptr)},
        {"title", shown.title},
        {"on_github", check.in_step},
        {"trouble", check.trouble},
    };
}

json::object json_of(const hud::PullPage& page) {
    json::array heads;
    for (const auto& head : page.heads) {
        heads.push_back(json::object{
            {"sha", head.head.text()},
            {"first_seen", to_rfc3339(head.first_seen)},
            {"current", head.head == page.pull.head},
        });
    }
    json::array labels;
    for (const auto& label : page.pull.labels) {
        labels.emplace_back(label);
    }
    return {
        {"upstream", page.pull.upstream.text()},
        {"number", static_cast<std::int64_t>(page.pull.number)},
        {"open", page.pull.open},
        {"draft", page.pull.draft},
        {"author", page.pull.author.text()},
        {"title", page.pull.title},
        {"labels", std::move(labels)},
        {"sha", page.head.text()},
        {"heads", std::move(heads)},
        {"verdict",
         json::object{{"merge", hud::name_of(page.verdict.merge)}, {"text", page.verdict.text}}},
        {"gate", page.gate ? json::value(json_of(*page.gate)) : json::value(nullptr)},
        {"backends", array_of(page.backends, backend_json)},
        {"checks", array_of(page.checks)},
        {"withheld", array_of(page.withheld, withheld_json)},
        {"timeline", array_of(page.timeline, happening_json)},
    };
}

} // namespace baton::api
