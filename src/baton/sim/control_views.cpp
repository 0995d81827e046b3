#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/api_limits.hpp"
#include "baton/sim/control_args.hpp"
#include "baton/sim/control_calls.hpp"
#include "baton/sim/dispatch_log.hpp"
#include "baton/sim/sim_world.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace baton::sim {

namespace json = boost::json;

namespace {

json::object dispatch_json(const ReceivedDispatch& line, bool with_body) {
    json::object out{
        {"number", line.number},
        {"at", to_rfc3339(line.at)},
        {"repo", line.repo.text()},
        {"event_type", line.event_type},
        {"delivery_id", line.delivery_id},
        {"body_bytes", line.body_bytes},
    };
    if (with_body) {
        boost::system::error_code broken;
        auto body = json::parse(line.body, broken);
        out["body"] = broken ? json::value(nullptr) : std::move(body);
    }
    return out;
}

} // namespace

ControlResult show_webhooks(SimWorld& world, const ControlArgs& /*args*/, TimePoint now) {
    json::array attempts;
    for (const auto& line : world.model.hooks().page({.now = now, .limit = 1000})) {
        attempts.push_back(json::object{
            {"id", line.id},
            {"delivery_id", line.webhook->id.text()},
            {"event", line.webhook->event},
            {"action", line.webhook->action},
            {"status_code", line.status_code},
            {"status", line.status},
            {"redelivery", line.redelivery},
            {"took_ms", line.took.count()},
        });
    }
    return json::object{
        {"made", world.model.hooks().made()},
        {"waiting", world.outbox.waiting()},
        {"paused", world.outbox.mischief().paused},
        {"attempts", std::move(attempts)},
    };
}

ControlResult list_dispatches(SimWorld& world, const ControlArgs& args, TimePoint /*now*/) {
    DispatchQuery query;
    if (args.has("repo")) {
        BATON_TRY(const auto repo, args.repo());
        query.repo = repo;
    }
    BATON_TRY(query.delivery_id, args.text("delivery"));
    BATON_TRY(const auto bodies, args.text("bodies"));
    BATON_TRY(const auto limit, args.text("limit", "1000"));
    const auto most = whole_number(limit);
    if (!most) {
        return fail(Errc::invalid, "\"limit\" must be a whole number");
    }
    query.limit = static_cast<std::size_t>(*most);
    json::array lines;
    for (const auto& line : world.model.dispatches().find(query)) {
        lines.push_back(dispatch_json(line, bodies == "1"));
    }
    return json::object{
        {"count", world.model.dispatches().count(query)},
        {"dispatches", std::move(lines)},
    };
}

ControlResult clear_dispatches(SimWorld& world, const ControlArgs& /*args*/, TimePoint /*now*/) {
    world.model.dispatches().clear();
    return json::object{};
}

ControlResult list_downstreams(SimWorld& world, const ControlArgs& /*args*/, TimePoint /*now*/) {
    json::object out;
    for (const auto& [repo, count] : world.model.dispatches().downstreams()) {
        out[repo.text()] = {{"received", count.received}, {"repeats", count.repeats}};
    }
    return json::object{{"downstreams", std::move(out)}};
}

ControlResult show_limits(SimWorld& world, const ControlArgs& /*args*/, TimePoint /*now*/) {
    const auto& rules = world.limits.rules();
    const auto& counts = world.limits.counts();
    const auto or_null = [](const std::optional<std::int64_t>& number) {
        return number ? json::value(*number) : json::value(nullptr);
    };
    json::object answers;
    for (const auto kind :
         {LimitKind::primary,
          LimitKind::concurrent,
          LimitKind::points,
          LimitKind::content,
          LimitKind::fault}) {
        const auto found = counts.answers.find(kind);
        answers[name_of(kind)] = found == counts.answers.end() ? 0 : found->second;
    }
    return json::object{
        {"per_hour", world.model.options().calls_per_hour},
        {"concurrent", or_null(rules.concurrent)},
        {"points_per_minute", or_null(rules.points_per_minute)},
        {"content_per_minute", or_null(rules.content_per_minute)},
        {"content_per_hour", or_null(rules.content_per_hour)},
        {"content_routes", json::array(rules.content_routes.begin(), rules.content_routes.end())},
        {"status", rules.status},
        {"answers", std::move(answers)},
        {"while_limited", counts.while_limited},
        {"concurrent_peak", counts.concurrent_peak},
    };
}

ControlResult show_requests(SimWorld& world, const ControlArgs& /*args*/, TimePoint /*now*/) {
    json::object out;
    for (const auto& [route, count] : world.requests) {
        out[route] = count;
    }
    return json::object{{"requests", std::move(out)}};
}

ControlResult clear_requests(SimWorld& world, const ControlArgs& /*args*/, TimePoint /*now*/) {
    world.requests.clear();
    return json::object{};
}

} // namespace baton::sim
