#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/control_args.hpp"
#include "baton/sim/control_calls.hpp"
#include "baton/sim/dispatch_log.hpp"
#include "baton/sim/sim_world.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

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
