#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/control_args.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/sim_world.hpp"

#include <boost/json/value.hpp>

#include <cstdint>
#include <string_view>

/// The calls behind the control API, one function each; control_api.cpp has the table.
namespace baton::sim {

using ControlResult = Result<boost::json::value>;

/// Puts the webhook on its way and says what it was.
boost::json::value sent(SimWorld& world, const Webhook& webhook);
/// A whole number, from a body or a query.
Result<std::int64_t>
count_in(const ControlArgs& args, std::string_view name, std::int64_t otherwise);

// --- what people do (control_actions.cpp)
ControlResult create_repo(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult rename_repo(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult install(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult set_permission(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult put_file(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult open_pull(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult act_on_pull(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult push(SimWorld& world, const ControlArgs& args, TimePoint now);

// --- checks, comments and what may be merged (control_checks.cpp)
ControlResult add_check(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult list_checks(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult rerequest(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult open_issue(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult add_comment(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult list_comments(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult queue_pull(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult protect(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult show_mergeable(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult list_runs(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult delete_run(SimWorld& world, const ControlArgs& args, TimePoint now);

// --- how GitHub behaves (control_behaviour.cpp)
ControlResult add_fault(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult list_faults(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult clear_faults(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult set_limits(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult clear_limits(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult set_rate_limit(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult set_webhooks(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult redeliver(SimWorld& world, const ControlArgs& args, TimePoint now);

// --- who a running job is (control_identity.cpp)
ControlResult set_oidc(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult show_oidc(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult begin_run(SimWorld& world, const ControlArgs& args, TimePoint now);

// --- what downstreams play (control_scripts.cpp)
ControlResult set_script(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult list_scripts(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult clear_scripts(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult show_reports(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult clear_reports(SimWorld& world, const ControlArgs& args, TimePoint now);

// --- what it saw (control_views.cpp)
ControlResult show_webhooks(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult list_dispatches(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult clear_dispatches(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult list_downstreams(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult show_limits(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult show_requests(SimWorld& world, const ControlArgs& args, TimePoint now);
ControlResult clear_requests(SimWorld& world, const ControlArgs& args, TimePoint now);

} // namespace baton::sim
