#pragma once

#include "baton/sim/github_api.hpp"

#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the files that answer API calls share; nobody else includes this.
namespace baton::sim {

enum class Asker { app, token };

struct GithubApi::Route {
    std::string_view name;
    std::string_view method;
    std::string_view
        pattern; // behind the repository for repository routes; "{}" one segment, "{*}" the rest
    bool of_repo{false};
    Asker asker{Asker::token};
    std::string_view permission; // that a token needs; empty: none
    std::string_view access;     // "read" or "write"
    std::string_view instead{};  // another permission that will do
    ApiReply (GithubApi::*answer)(const Call&);
};

struct GithubApi::Match {
    const Route* route{nullptr};
    std::vector<std::string> captures;
    std::optional<RepoName> name; // repository routes have a name or an id
    std::optional<RepoId> id;
    std::string behind_repo; // "/dispatches", for redirects
};

struct GithubApi::Call {
    const ApiRequest& request;
    Match match;
    TimePoint now{};
    const Repo* repo{nullptr};
    TokenScope scope;                    // of the token, when one was asked for
    std::optional<InstallationId> payer; // whose limits count; nobody's before authentication
    bool entered{false};                 // it counts as under way

    const std::string& capture(std::size_t i) const { return match.captures.at(i); }
};

ApiReply api_json(int status, const boost::json::value& body);

/// A file at a branch or tag.
struct FileView {
    const Site& site;
    const Repo& repo;
    std::string path;
    std::string ref;
    const std::string& text;
};

boost::json::object file_json(const FileView& file);

/// A pull request, as its own endpoint shows it.
boost::json::object shown(const GithubModel& model, const Repo& base, const Pull& pull);

/// Null when it is no JSON: no body of an endpoint may be that.
boost::json::value body_in(const ApiRequest& request);

/// A whole positive number and nothing else.
std::optional<std::int64_t> number_in(std::string_view text);

} // namespace baton::sim
