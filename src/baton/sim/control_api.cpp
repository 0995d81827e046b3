#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/net/url.hpp"
#include "baton/sim/control_args.hpp"
#include "baton/sim/control_calls.hpp"
#include "baton/sim/github_api.hpp"
#include "baton/sim/sim_world.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::sim {

namespace json = boost::json;

namespace {

struct ControlRoute {
    std::string_view method;
    std::string_view path; // behind /_sim
    ControlResult (*call)(SimWorld&, const ControlArgs&, TimePoint);
    std::string_view takes{}; // the arguments, with blanks between them
};

ControlResult health(SimWorld& /*world*/, const ControlArgs& /*args*/, TimePoint /*now*/) {
    return json::object{{"ok", true}};
}

constexpr ControlRoute kRoutes[] = {
    {.method = "GET", .path = "/health", .call = health},
    {.method = "POST",
     .path = "/repos",
     .call = create_repo,
     .takes = "repo default_branch private installed"},
    {.method = "POST", .path = "/repos/rename", .call = rename_repo, .takes = "repo to"},
    {.method = "POST", .path = "/repos/install", .call = install, .takes = "repo installed"},
    {.method = "POST",
     .path = "/permissions",
     .call = set_permission,
     .takes = "repo login permission"},
    {.method = "POST", .path = "/files", .call = put_file, .takes = "repo path text ref"},
    {.method = "POST",
     .path = "/pulls",
     .call = open_pull,
     .takes = "repo author title text head_ref from_fork draft labels body_bytes_min"},
    {.method = "POST",
     .path = "/pulls/act",
     .call = act_on_pull,
     .takes = "repo number action by label"},
    {.method = "POST", .path = "/pushes", .call = push, .takes = "repo ref by files commits deleted"
    },
    {.method = "POST",
     .path = "/checks",
     .call = add_check,
     .takes = "repo head number name app conclusion"},
    {.method = "GET", .path = "/checks", .call = list_checks, .takes = "repo head number"},
    {.method = "POST",
     .path = "/checks/rerequest",
     .call = rerequest,
     .takes = "repo head number name app by"},
    {.method = "POST", .path = "/issues", .call = open_issue, .takes = "repo"},
    {.method = "POST", .path = "/comments", .call = add_comment, .takes = "repo number by text"},
    {.method = "GET", .path = "/comments", .call = list_comments, .takes = "repo number"},
    {.method = "POST", .path = "/merge_groups", .call = queue_pull, .takes = "repo number by"},
    {.method = "POST", .path = "/protection", .call = protect, .takes = "repo checks"},
    {.method = "GET", .path = "/mergeable", .call = show_mergeable, .takes = "repo number"},
    {.method = "POST",
     .path = "/faults",
     .call = add_fault,
     .takes = "kind route repo perform status message delay_ms retry_after_s times probability"},
    {.method = "GET", .path = "/faults", .call = list_faults},
    {.method = "DELETE", .path = "/faults", .call = clear_faults},
    {.method = "POST",
     .path = "/limits",
     .call = set_limits,
     .takes = "published per_hour concurrent points_per_minute content_per_minute content_per_hour "
              "content_routes status"},
    {.method = "GET", .path = "/limits", .call = show_limits},
    {.method = "DELETE", .path = "/limits", .call = clear_limits},
    {.method = "POST",
     .path = "/rate_limits",
     .call = set_rate_limit,
     .takes = "repo limit remaining reset_in_s"},
    {.method = "POST",
     .path = "/webhooks",
     .call = set_webhooks,
     .takes = "url secret paused duplicate lose reorder"},
    {.method = "GET", .path = "/webhooks", .call = show_webhooks},
    {.method = "POST", .path = "/webhooks/redeliver", .call = redeliver, .takes = "delivery"},
    {.method = "POST",
     .path = "/oidc",
     .call = set_oidc,
     .takes = "rotate algorithm drop outage skew_s"},
    {.method = "GET", .path = "/oidc", .call = show_oidc},
    {.method = "POST",
     .path = "/runs",
     .call = begin_run,
     .takes = "repo workflow event_name run_id attempt"},
    {.method = "GET", .path = "/runs", .call = list_runs, .takes = "repo"},
    {.method = "POST", .path = "/runs/delete", .call = delete_run, .takes = "run_id"},
    {.method = "POST",
     .path = "/scripts",
     .call = set_script,
     .takes = "repo script callback_url audience workflow queue_ms work_ms later_ms upstream "
              "fails_as rerun_script"},
    {.method = "GET", .path = "/scripts", .call = list_scripts},
    {.method = "DELETE", .path = "/scripts", .call = clear_scripts},
    {.method = "GET", .path = "/reports", .call = show_reports, .takes = "repo limit"},
    {.method = "DELETE", .path = "/reports", .call = clear_reports},
    {.method = "GET",
     .path = "/dispatches",
     .call = list_dispatches,
     .takes = "repo delivery bodies limit"},
    {.method = "DELETE", .path = "/dispatches", .call = clear_dispatches},
    {.method = "GET", .path = "/downstreams", .call = list_downstreams},
    {.method = "GET", .path = "/requests", .call = show_requests},
    {.method = "DELETE", .path = "/requests", .call = clear_requests},
};

std::vector<std::string_view> parts_of(std::string_view text, char between) {
    std::vector<std::string_view> out;
    while (!text.empty()) {
        const auto end = std::min(text.find(between), text.size());
        out.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

ApiReply plain(int status, const json::value& body) {
    ApiReply reply;
    reply.status = status;
    reply.body = json::serialize(body) + "\n"; // read on terminals
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
Result<json::object> fields_of(const ApiRequest& request) {
    if (!request.body.empty()) {
        boost::system::error_code broken;
        auto parsed = json::parse(request.body, broken);
        if (broken || !parsed.is_object()) {
            return fail(Errc::invalid, "the body must be a JSON object");
        }
        return std::move(parsed.as_object());
    }
    json::object fields;
    for (const auto pair : parts_of(request.query, '&')) {
        const auto name = pair.substr(0, pair.find('='));
        fields[name] = net::query_value(request.query, name).value_or("");
    }
    return fields;
}

/// An argument that a call does not know is a typing mistake, and silence would hide it.
Result<ControlArgs> args_of(const ControlRoute& route, const ApiRequest& request) {
    BATON_TRY(auto fields, fields_of(request));
    const auto known = parts_of(route.takes, ' ');
    for (const auto& [name, value] : fields) {
        if (std::ranges::find(known, std::string_view(name)) != known.end()) {
            continue;
        }
        const auto near = nearest(name, known);
        return fail(
            Errc::invalid,
            near ? fmt::format("no argument \"{}\"; did you mean \"{}\"?", inert(name), *near)
            : known.empty()
                ? fmt::format("no argument \"{}\"; this call takes none", inert(name))
                : fmt::format(
                      "no argument \"{}\"; this call takes: {}", inert(name), fmt::join(known, ", ")
                  )
        );
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
    const auto args = args_of(*route, request);
    if (!args) {
        return refusal(args.error());
    }
    const auto done = route->call(world, *args, now);
    return done ? plain(200, *done) : refusal(done.error());
}

} // namespace baton::sim
