#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/net/url.hpp"
#include "baton/sim/control_args.hpp"
#include "baton/sim/control_calls.hpp"
#include "baton/sim/github_api.hpp"
#include "baton/sim/sim_world.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace baton::sim {

namespace json = boost::json;

namespace {

struct ControlRoute {
    std::string_view method;
    std::string_view path; // behind /_sim
    ControlResult (*call)(SimWorld&, const ControlArgs&, TimePoint);
};

ControlResult health(SimWorld& /*world*/, const ControlArgs& /*args*/, TimePoint /*now*/) {
    return json::object{{"ok", true}};
}

constexpr ControlRoute kRoutes[] = {
    {.method = "GET", .path = "/health", .call = health},
    {.method = "POST", .path = "/repos", .call = create_repo},
    {.method = "POST", .path = "/repos/rename", .call = rename_repo},
    {.method = "POST", .path = "/repos/install", .call = install},
    {.method = "POST", .path = "/permissions", .call = set_permission},
    {.method = "POST", .path = "/files", .call = put_file},
    {.method = "POST", .path = "/pulls", .call = open_pull},
    {.method = "POST", .path = "/pulls/act", .call = act_on_pull},
    {.method = "POST", .path = "/pushes", .call = push},
    {.method = "POST", .path = "/faults", .call = add_fault},
    {.method = "GET", .path = "/faults", .call = list_faults},
    {.method = "DELETE", .path = "/faults", .call = clear_faults},
    {.method = "POST", .path = "/rate_limits", .call = set_rate_limit},
    {.method = "POST", .path = "/webhooks", .call = set_webhooks},
    {.method = "GET", .path = "/webhooks", .call = show_webhooks},
    {.method = "POST", .path = "/webhooks/redeliver", .call = redeliver},
    {.method = "GET", .path = "/dispatches", .call = list_dispatches},
    {.method = "DELETE", .path = "/dispatches", .call = clear_dispatches},
    {.method = "GET", .path = "/downstreams", .call = list_downstreams},
    {.method = "GET", .path = "/requests", .call = show_requests},
    {.method = "DELETE", .path = "/requests", .call = clear_requests},
};

ApiReply plain(int status, const json::value& body) {
    ApiReply reply;
    reply.status = status;
    reply.body = json::serialize(body);
    return reply;
}

ApiReply refusal(const Error& error) {
    const auto status = [&] {
        switch (error.code) {
        case Errc::not_found:
            return 404;
        case Errc::conflict:
        case Errc::forbidden:
            return 409;
        case Errc::invalid:
        case Errc::unauthenticated:
        case Errc::throttled:
        case Errc::unavailable:
        case Errc::timed_out:
        case Errc::cancelled:
            return 400;
        }
        return 400;
    }();
    return plain(status, json::object{{"detail", error.detail}});
}

/// From the body, or, for calls without one, from the query: "a=1&b=x", each value a text.
Result<ControlArgs> args_of(const ApiRequest& request) {
    json::object fields;
    for (const auto* name : {"repo", "delivery", "limit", "bodies"}) {
        if (auto value = net::query_value(request.query, name)) {
            fields[name] = *std::move(value);
        }
    }
    if (!request.body.empty()) {
        boost::system::error_code broken;
        auto parsed = json::parse(request.body, broken);
        if (broken || !parsed.is_object()) {
            return fail(Errc::invalid, "the body must be a JSON object");
        }
        fields = std::move(parsed.as_object());
    }
    return ControlArgs(std::move(fields));
}

} // namespace

ApiReply control(SimWorld& world, const ApiRequest& request, TimePoint now) {
    constexpr std::string_view kPrefix = "/_sim";
    const auto path =
        std::string_view(request.path).substr(std::min(kPrefix.size(), request.path.size()));
    const auto is_it = [&](const ControlRoute& route) {
        return route.method == request.method && route.path == path;
    };
    const auto* const route = std::ranges::find_if(kRoutes, is_it);
    if (!request.path.starts_with(kPrefix) || route == std::end(kRoutes)) {
        return refusal(
            {.code = Errc::not_found, .detail = "no such control call; see docs/design/simulator.md"
            }
        );
    }
    const auto args = args_of(request);
    if (!args) {
        return refusal(args.error());
    }
    const auto done = route->call(world, *args, now);
    return done ? plain(200, *done) : refusal(done.error());
}

} // namespace baton::sim
