#include "baton/net/url.hpp"
#include "baton/sim/control_calls.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <fmt/format.h>

#include <algorithm>
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
    {"GET", "/health", health},
    {"POST", "/repos", create_repo},
    {"POST", "/repos/rename", rename_repo},
    {"POST", "/repos/install", install},
    {"POST", "/permissions", set_permission},
    {"POST", "/files", put_file},
    {"POST", "/pulls", open_pull},
    {"POST", "/pulls/act", act_on_pull},
    {"POST", "/pushes", push},
    {"POST", "/faults", add_fault},
    {"GET", "/faults", list_faults},
    {"DELETE", "/faults", clear_faults},
    {"POST", "/rate_limits", set_rate_limit},
    {"POST", "/webhooks", set_webhooks},
    {"GET", "/webhooks", show_webhooks},
    {"POST", "/webhooks/redeliver", redeliver},
    {"GET", "/dispatches", list_dispatches},
    {"DELETE", "/dispatches", clear_dispatches},
    {"GET", "/downstreams", list_downstreams},
    {"GET", "/requests", show_requests},
    {"DELETE", "/requests", clear_requests},
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
