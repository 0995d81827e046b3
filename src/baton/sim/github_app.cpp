#include "baton/sim/github_app.hpp"

#include "baton/base/ids.hpp"
#include "baton/sim/github_json.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/token_book.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <fmt/format.h>

#include <cstdint>

namespace baton::sim {

namespace json = boost::json;

const Grants& app_grants() {
    static const Grants grants{
        {"actions", "write"},
        {"checks", "write"},
        {"contents", "write"},
        {"issues", "write"},
        {"metadata", "read"},
        {"pull_requests", "write"},
    };
    return grants;
}

json::object grants_json(const Grants& grants) {
    json::object out;
    for (const auto& [name, access] : grants) {
        out[name] = access;
    }
    return out;
}

json::array app_events_json() {
    return {"check_run", "check_suite", "issue_comment", "merge_group", "pull_request", "push"};
}

json::object app_json(const Site& site, const AppFacts& app) {
    const Account owner{.login = Login("baton-owner"), .id = 1, .organization = true};
    return {
        {"id", app.id},
        {"slug", app.slug},
        {"node_id", node_id("A_kwHO", app.id)},
        {"client_id", fmt::format("Iv1.{:016x}", app.id)},
        {"owner", account_json(site, owner)},
        {"name", app.slug},
        {"description", nullptr},
        {"external_url", site.html_url},
        {"html_url", fmt::format("{}/apps/{}", site.html_url, app.slug)},
        {"created_at", github_time(kAppBirthday)},
        {"updated_at", github_time(kAppBirthday)},
        {"permissions", grants_json(app_grants())},
        {"events", app_events_json()},
    };
}

json::object installation_json(
    const Site& site, const AppFacts& app, const Account& owner, InstallationId installation
) {
    const auto id = static_cast<std::int64_t>(installation);
    return {
        {"id", id},
        {"account", account_json(site, owner)},
        {"repository_selection", "selected"},
        {"access_tokens_url", fmt::format("{}/app/installations/{}/access_tokens", site.api_url, id)
        },
        {"repositories_url", site.api_url + "/installation/repositories"},
        {"html_url", fmt::format("{}/settings/installations/{}", site.html_url, id)},
        {"app_id", app.id},
        {"app_slug", app.slug},
        {"target_id", owner.id},
        {"target_type", owner.organization ? "Organization" : "User"},
        {"permissions", grants_json(app_grants())},
        {"events", app_events_json()},
        {"created_at", github_time(kAppBirthday)},
        {"updated_at", github_time(kAppBirthday)},
        {"single_file_name", nullptr},
        {"has_multiple_single_files", false},
        {"single_file_paths", json::array{}},
        {"suspended_by", nullptr},
        {"suspended_at", nullptr},
    };
}

} // namespace baton::sim
