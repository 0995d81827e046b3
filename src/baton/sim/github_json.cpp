#include "baton/sim/github_json.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/net/url.hpp"
#include "baton/sim/github_types.hpp"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace baton::sim {

namespace json = boost::json;

namespace {

struct Link {
    std::string_view field;
    std::string_view rest;
};

constexpr Link kAccountLinks[] = {
    {.field = "followers_url", .rest = "/followers"},
    {.field = "following_url", .rest = "/following{/other_user}"},
    {.field = "gists_url", .rest = "/gists{/gist_id}"},
    {.field = "starred_url", .rest = "/starred{/owner}{/repo}"},
    {.field = "subscriptions_url", .rest = "/subscriptions"},
    {.field = "organizations_url", .rest = "/orgs"},
    {.field = "repos_url", .rest = "/repos"},
    {.field = "events_url", .rest = "/events{/privacy}"},
    {.field = "received_events_url", .rest = "/received_events"},
};

constexpr Link kRepoLinks[] = {
    {.field = "forks_url", .rest = "/forks"},
    {.field = "keys_url", .rest = "/keys{/key_id}"},
    {.field = "collaborators_url", .rest = "/collaborators{/collaborator}"},
    {.field = "teams_url", .rest = "/teams"},
    {.field = "hooks_url", .rest = "/hooks"},
    {.field = "issue_events_url", .rest = "/issues/events{/number}"},
    {.field = "events_url", .rest = "/events"},
    {.field = "assignees_url", .rest = "/assignees{/user}"},
    {.field = "branches_url", .rest = "/branches{/branch}"},
    {.field = "tags_url", .rest = "/tags"},
    {.field = "blobs_url", .rest = "/git/blobs{/sha}"},
    {.field = "git_tags_url", .rest = "/git/tags{/sha}"},
    {.field = "git_refs_url", .rest = "/git/refs{/sha}"},
    {.field = "trees_url", .rest = "/git/trees{/sha}"},
    {.field = "statuses_url", .rest = "/statuses/{sha}"},
    {.field = "languages_url", .rest = "/languages"},
    {.field = "stargazers_url", .rest = "/stargazers"},
    {.field = "contributors_url", .rest = "/contributors"},
    {.field = "subscribers_url", .rest = "/subscribers"},
    {.field = "subscription_url", .rest = "/subscription"},
    {.field = "commits_url", .rest = "/commits{/sha}"},
    {.field = "git_commits_url", .rest = "/git/commits{/sha}"},
    {.field = "comments_url", .rest = "/comments{/number}"},
    {.field = "issue_comment_url", .rest = "/issues/comments{/number}"},
    {.field = "contents_url", .rest = "/contents/{+path}"},
    {.field = "compare_url", .rest = "/compare/{base}...{head}"},
    {.field = "merges_url", .rest = "/merges"},
    {.field = "archive_url", .rest = "/{archive_format}{/ref}"},
    {.field = "downloads_url", .rest = "/downloads"},
    {.field = "issues_url", .rest = "/issues{/number}"},
    {.field = "pulls_url", .rest = "/pulls{/number}"},
    {.field = "milestones_url", .rest = "/milestones{/number}"},
    {.field = "notifications_url", .rest = "/notifications{?since,all,participating}"},
    {.field = "labels_url", .rest = "/labels{/name}"},
    {.field = "releases_url", .rest = "/releases{/id}"},
    {.field = "deployments_url", .rest = "/deployments"},
};

void add_links(json::object& to, const std::string& base, std::span<const Link> links) {
    for (const auto& link : links) {
        to[link.field] = base + std::string(link.rest);
    }
}

std::string api_of(const Site& site, const Repo& repo) {
    return fmt::format("{}/repos/{}", site.api_url, repo.name.text());
}

std::string html_of(const Site& site, const Repo& repo) {
    return fmt::format("{}/{}", site.html_url, repo.name.text());
}

json::value time_or_null(const std::optional<TimePoint>& when) {
    return when ? json::value(github_time(*when)) : json::value(nullptr);
}

json::object
side_json(const Site& site, const Repo& repo, const std::string& ref, const HeadSha& sha) {
    auto whole = repo_json(site, repo);
    for (const auto* setting : {"allow_squash_merge", "allow_merge_commit", "allow_rebase_merge"}) {
        whole[setting] = true;
    }
    for (const auto* setting :
         {"allow_auto_merge", "delete_branch_on_merge", "allow_update_branch"}) {
        whole[setting] = false;
    }
    return {
        {"label", fmt::format("{}:{}", repo.owner.login.text(), ref)},
        {"ref", ref},
        {"sha", sha.text()},
        {"user", account_json(site, repo.owner)},
        {"repo", std::move(whole)},
    };
}

json::object pull_links(const std::string& api, const std::string& html, const Pull& pull) {
    const auto number = static_cast<std::int64_t>(pull.number);
    const auto link = [](std::string href) { return json::object{{"href", std::move(href)}}; };
    return {
        {"self", link(fmt::format("{}/pulls/{}", api, number))},
        {"html", link(fmt::format("{}/pull/{}", html, number))},
        {"issue", link(fmt::format("{}/issues/{}", api, number))},
        {"comments", link(fmt::format("{}/issues/{}/comments", api, number))},
        {"review_comments", link(fmt::format("{}/pulls/{}/comments", api, number))},
        {"review_comment", link(api + "/pulls/comments{/number}")},
        {"commits", link(fmt::format("{}/pulls/{}/commits", api, number))},
        {"statuses", link(fmt::format("{}/statuses/{}", api, pull.head.text()))},
    };
}

/// What stands behind the two sides: merge state and counts.
void add_pull_state(json::object& to, const Pull& pull, json::object author) {
    to["author_association"] = pull.association;
    to["auto_merge"] = nullptr;
    to["active_lock_reason"] = nullptr;
    to["merged"] = pull.merged;
    to["mergeable"] = nullptr; // GitHub finds out later
    to["rebaseable"] = nullptr;
    to["mergeable_state"] = "unknown";
    to["merged_by"] = pull.merged ? json::value(std::move(author)) : json::value(nullptr);
    to["comments"] = 0;
    to["review_comments"] = 0;
    to["maintainer_can_modify"] = true;
    to["commits"] = pull.commits;
    to["additions"] = 12 * pull.commits;
    to["deletions"] = 3 * pull.commits;
    to["changed_files"] = pull.commits;
}

} // namespace

std::string github_time(TimePoint when) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(when);
    const auto day = std::chrono::floor<std::chrono::days>(seconds);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(seconds - day);
    return fmt::format(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z",
        static_cast<int>(date.year()),
        static_cast<unsigned>(date.month()),
        static_cast<unsigned>(date.day()),
        clock.hours().count(),
        clock.minutes().count(),
        clock.seconds().count()
    );
}

std::string node_id(std::string_view prefix, std::int64_t id) {
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    std::string digits(8, 'A');
    auto rest = static_cast<std::uint64_t>(id);
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
        *digit = kDigits[rest % kDigits.size()];
        rest /= kDigits.size();
    }
    return std::string(prefix) + digits;
}

json::object account_json(const Site& site, const Account& account) {
    const auto login = net::percent_encode(account.login.text()); // an App's: baton[bot]
    const auto api = fmt::format("{}/users/{}", site.api_url, login);
    json::object out{
        {"login", account.login.text()},
        {"id", account.id},
        {"node_id", node_id(account.organization ? "O_kgDO" : "U_kgDO", account.id)},
        {"avatar_url", fmt::format("https://avatars.githubusercontent.com/u/{}?v=4", account.id)},
        {"gravatar_id", ""},
        {"url", api},
        {"html_url", fmt::format("{}/{}", site.html_url, login)},
    };
    add_links(out, api, kAccountLinks);
    out["type"] = account.organization ? "Organization" : "User";
    out["user_view_type"] = "public";
    out["site_admin"] = false;
    return out;
}

json::object organization_json(const Site& site, const Account& account) {
    const auto api = fmt::format("{}/orgs/{}", site.api_url, account.login.text());
    return {
        {"login", account.login.text()},
        {"id", account.id},
        {"node_id", node_id("O_kgDO", account.id)},
        {"url", api},
        {"repos_url", api + "/repos"},
        {"events_url", api + "/events"},
        {"hooks_url", api + "/hooks"},
        {"issues_url", api + "/issues"},
        {"members_url", api + "/members{/member}"},
        {"public_members_url", api + "/public_members{/member}"},
        {"avatar_url", fmt::format("https://avatars.githubusercontent.com/u/{}?v=4", account.id)},
        {"description", nullptr},
    };
}

json::object repo_json(const Site& site, const Repo& repo) {
    const auto api = api_of(site, repo);
    const auto html = html_of(site, repo);
    const auto id = static_cast<std::int64_t>(repo.id);
    json::object out{
        {"id", id},
        {"node_id", node_id("R_kgDO", id)},
        {"name", repo.name.repo()},
        {"full_name", repo.name.text()},
        {"private", repo.is_private},
        {"owner", account_json(site, repo.owner)},
        {"html_url", html},
        {"description", nullptr},
        {"fork", repo.fork},
        {"url", api},
    };
    add_links(out, api, kRepoLinks);
    out["created_at"] = github_time(repo.created_at);
    out["updated_at"] = github_time(repo.pushed_at);
    out["pushed_at"] = github_time(repo.pushed_at);
    out["git_url"] = fmt::format("git://github.com/{}.git", repo.name.text());
    out["ssh_url"] = fmt::format("git@github.com:{}.git", repo.name.text());
    out["clone_url"] = html + ".git";
    out["svn_url"] = html;
    for (const auto* unset : {"homepage", "language", "mirror_url", "license"}) {
        out[unset] = nullptr;
    }
    for (const auto* count :
         {"size", "stargazers_count", "watchers_count", "forks_count", "forks", "watchers"}) {
        out[count] = 0;
    }
    out["open_issues_count"] = repo.pulls.size();
    out["open_issues"] = repo.pulls.size();
    for (const auto* yes :
         {"has_issues", "has_projects", "has_downloads", "has_wiki", "allow_forking"}) {
        out[yes] = true;
    }
    for (const auto* no :
         {"has_pages",
          "has_discussions",
          "archived",
          "disabled",
          "is_template",
          "web_commit_signoff_required"}) {
        out[no] = false;
    }
    out["topics"] = json::array{};
    out["visibility"] = repo.is_private ? "private" : "public";
    out["default_branch"] = repo.default_branch;
    return out;
}

json::object label_json(const Site& site, const Repo& repo, const std::string& name) {
    // Ids and colours come from the name, so that a label is the same thing wherever it is
    // mentioned.
    const auto hash =
        crypto::sha256(fmt::format("{}#{}", static_cast<std::int64_t>(repo.id), name));
    std::int64_t id = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        id = id * 256 + static_cast<unsigned char>(hash.at(i));
    }
    return {
        {"id", id},
        {"node_id", node_id("LA_kwDO", id)},
        {"url", fmt::format("{}/labels/{}", api_of(site, repo), name)},
        {"name", name},
        {"color", crypto::to_hex(crypto::view_of(hash).substr(4, 3))},
        {"default", false},
        {"description", ""},
    };
}

json::object pull_json(const Site& site, const PullScene& scene) {
    const auto& pull = scene.pull;
    const auto number = static_cast<std::int64_t>(pull.number);
    const auto api = api_of(site, scene.base);
    const auto html = html_of(site, scene.base);
    const auto self = fmt::format("{}/pulls/{}", api, number);
    json::array labels;
    for (const auto& name : pull.labels) {
        labels.push_back(label_json(site, scene.base, name));
    }
    auto author = account_json(site, scene.author);
    json::object out{
        {"url", self},
        {"id", pull.id},
        {"node_id", node_id("PR_kwDO", pull.id)},
        {"html_url", fmt::format("{}/pull/{}", html, number)},
        {"diff_url", fmt::format("{}/pull/{}.diff", html, number)},
        {"patch_url", fmt::format("{}/pull/{}.patch", html, number)},
        {"issue_url", fmt::format("{}/issues/{}", api, number)},
        {"number", number},
        {"state", pull.open ? "open" : "closed"},
        {"locked", false},
        {"title", pull.title},
        {"user", author},
        {"body", pull.text.empty() ? json::value(nullptr) : json::value(pull.text)},
        {"created_at", github_time(pull.created_at)},
        {"updated_at", github_time(pull.updated_at)},
        {"closed_at", time_or_null(pull.closed_at)},
        {"merged_at", pull.merged ? time_or_null(pull.closed_at) : json::value(nullptr)},
        {"merge_commit_sha", nullptr},
        {"assignee", nullptr},
        {"assignees", json::array{}},
        {"requested_reviewers", json::array{}},
        {"requested_teams", json::array{}},
        {"labels", std::move(labels)},
        {"milestone", nullptr},
        {"draft", pull.draft},
        {"commits_url", self + "/commits"},
        {"review_comments_url", self + "/comments"},
        {"review_comment_url", api + "/pulls/comments{/number}"},
        {"comments_url", fmt::format("{}/issues/{}/comments", api, number)},
        {"statuses_url", fmt::format("{}/statuses/{}", api, pull.head.text())},
        {"head", side_json(site, scene.head, pull.head_ref, pull.head)},
        {"base", side_json(site, scene.base, pull.base_ref, pull.base)},
        {"_links", pull_links(api, html, pull)},
    };
    add_pull_state(out, pull, std::move(author));
    return out;
}

} // namespace baton::sim
