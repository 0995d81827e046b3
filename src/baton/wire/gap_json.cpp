#include "baton/wire/gap_json.hpp"

#include "baton/quality/changes.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/gap.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <optional>
#include <utility>

namespace baton::wire {

namespace {

namespace json = boost::json;

json::value way_json(const std::optional<quality::Way>& way) {
    if (!way) {
        return nullptr;
    }
    json::array moves;
    for (const auto& move : way->moves) {
        json::array adds;
        for (const auto& one : move.adds) {
            adds.emplace_back(one);
        }
        moves.emplace_back(json::object{
            {"item", move.item},
            {"adds", std::move(adds)},
            {"gain", move.gain},
            {"effort", move.effort},
            {"forced", move.forced},
            {"missing", move.missing},
        });
    }
    return json::object{
        {"target", way->target},
        {"points", way->points},
        {"effort", way->effort},
        {"moves", std::move(moves)},
    };
}

} // namespace

json::object gap_object(const quality::CriteriaSet& set, const quality::Gap& gap) {
    json::array risks;
    for (const auto& risk : gap.risks) {
        risks.emplace_back(json::object{
            {"item", risk.item},
            {"points", risk.points},
            {"slack", risk.slack},
            {"next_needs", risk.next_needs},
        });
    }
    json::array expiring;
    for (const auto& expiry : gap.expiring) {
        expiring.emplace_back(json::object{
            {"item", expiry.item},
            {"on", quality::to_text(expiry.on)},
        });
    }
    return {
        {"rank", gap.rank},
        {"level", quality::level_name(set, gap.rank)},
        {"reached", gap.reached},
        {"way", way_json(gap.way)},
        {"robust", way_json(gap.robust)},
        {"risks", std::move(risks)},
        {"expiring", std::move(expiring)},
    };
}

} // namespace baton::wire
