#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

/// The things that GitHub remembers, as plain values. Only GithubModel changes them.
namespace baton::sim {

enum class RepoId : std::int64_t {};
enum class InstallationId : std::int64_t {};

/// A person or an organization: both own repositories and share one name space.
struct Account {
    Login login;
    std::int64_t id{0};
    bool organization{false};
};

/// What a branch or tag points at.
struct Branch {
    HeadSha head;
    std::map<std::string, std::string> files; // path -> text
};

/// Git's name of a file's bytes: forty digits like git's; nobody recomputes them.
std::string blob_sha(const std::string& text);

struct Pull {
    PrNumber number{};
    std::int64_t id{0};
    std::string title;
    std::string text;
    Login author;
    RepoId head_repo{}; // the fork, or the repository itself
    std::string head_ref;
    HeadSha head;
    std::string base_ref;
    HeadSha base;
    bool open{true};
    bool draft{false};
    bool merged{false};
    std::vector<std::string> labels;
    std::string association; // GitHub's word, fixed when it is opened
    std::size_t commits{1};
    TimePoint created_at{};
    TimePoint updated_at{};
    std::optional<TimePoint> closed_at;
};

struct Repo {
    RepoId id{};
    RepoName name;
    Account owner;
    std::string default_branch;
    bool is_private{false};
    bool fork{false};
    bool installed{false};
    TimePoint created_at{};
    TimePoint pushed_at{};
    std::map<std::string, Branch> refs; // "refs/heads/main"
    std::map<PrNumber, Pull> pulls;
    std::set<PrNumber> issues; // numbered with the pull requests
    std::set<HeadSha> commits; // ever made here or shown through a pull request
    std::map<std::string, domain::Permission> rights; // by login, lower case
    std::vector<std::string> required_checks;         // branch protection
};

/// One webhook that GitHub decided to send.
struct Webhook {
    DeliveryId id; // the GUID of X-GitHub-Delivery
    std::string event;
    std::string action; // empty for push
    std::string body;   // exactly the bytes that are signed and sent
    RepoId repo{};
    InstallationId installation{};
    std::optional<PrNumber> pr;
    HeadSha head;
    TimePoint created_at{};
};

/// Where this GitHub says it lives; stands in every URL that it writes.
struct Site {
    std::string api_url{"https://api.github.com"};
    std::string html_url{"https://github.com"};
};

} // namespace baton::sim
