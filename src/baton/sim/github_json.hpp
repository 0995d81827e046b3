#pragma once

#include "baton/base/time.hpp"
#include "baton/sim/github_types.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <string>
#include <string_view>

/// GitHub's JSON, with the bulk that it really has: nested repositories and accounts with all their
/// links. Pure.
namespace baton::sim {

/// GitHub's clock has seconds: 2026-11-15T13:30:00Z
std::string github_time(TimePoint when);
std::string node_id(std::string_view prefix, std::int64_t id);

boost::json::object account_json(const Site& site, const Account& account);
boost::json::object organization_json(const Site& site, const Account& account);
boost::json::object repo_json(const Site& site, const Repo& repo);
boost::json::object label_json(const Site& site, const Repo& repo, const std::string& name);

/// A pull request as it stands in webhooks; `head` is the repository that the head branch lives in.
struct PullScene {
    const Pull& pull;
    const Repo& base;
    const Repo& head;
    const Account& author;
};

boost::json::object pull_json(const Site& site, const PullScene& scene);

} // namespace baton::sim
