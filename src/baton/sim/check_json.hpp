#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/check_book.hpp"
#include "baton/sim/comment_book.hpp"
#include "baton/sim/github_types.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <span>
#include <string>

/// GitHub's JSON for checks, comments and merge groups. Pure.
namespace baton::sim {

/// Where a check stands, and whose it is.
struct CheckScene {
    const Site& site;
    const Repo& repo;
    std::string app_slug;
};

boost::json::object check_run_json(const CheckScene& scene, const CheckRun& run);

/// The suite of these runs, which are the newest of each name and at least one.
boost::json::object
check_suite_json(const CheckScene& scene, std::span<const CheckRun* const> runs);

/// A commit as checks and merge groups mention it.
boost::json::object simple_commit_json(const Repo& repo, const HeadSha& sha, TimePoint when);

struct CommentScene {
    const Site& site;
    const Repo& repo;
    const Account& author;
    std::string association;
    std::string app_slug;
};

boost::json::object comment_json(const CommentScene& scene, const IssueComment& comment);

/// A pull request in the shape of an issue, as webhooks about comments carry it.
boost::json::object issue_json(const CommentScene& scene, const Pull& pull);

} // namespace baton::sim
