#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/github_json.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace baton::sim {

namespace json = boost::json;

namespace {

const std::string kNoCommit(40, '0');

json::object author_json(const Login& login) {
    return {
        {"name", login.text()},
        {"email", login.text() + "@users.noreply.github.com"},
        {"username", login.text()},
    };
}

/// The repository as push events have it: two of the times are numbers there, and `url` is for
/// people.
json::object push_repo_json(const Site& site, const Repo& repo) {
    auto out = repo_json(site, repo);
    const auto seconds = [](TimePoint when) {
        return std::chrono::floor<std::chrono::seconds>(when).time_since_epoch().count();
    };
    out["url"] = fmt::format("{}/{}", site.html_url, repo.name.text());
    out["created_at"] = seconds(repo.created_at);
    out["pushed_at"] = seconds(repo.pushed_at);
    out["stargazers"] = 0;
    out["master_branch"] = repo.default_branch;
    auto& owner = out["owner"].as_object();
    owner["name"] = repo.owner.login.text();
    owner["email"] = nullptr;
    return out;
}

} // namespace

/// All changes stand in the last commit; the ones before it are there to make a push of several.
json::array GithubModel::push_commits(Repo& in, const PushAction& what, const HeadSha& head) {
    json::array commits;
    for (std::size_t i = 0; i < what.commits; ++i) {
        const bool last = i + 1 == what.commits;
        const auto sha = last ? head : new_commit(in);
        json::array modified;
        json::array removed;
        for (const auto& file : what.changes) {
            if (last) {
                (file.text ? modified : removed).push_back(json::value(file.path));
            }
        }
        const auto who = author_json(what.by);
        commits.push_back(json::object{
            {"id", sha.text()},
            {"tree_id", new_sha().text()},
            {"distinct", true},
            {"message", fmt::format("Change {} of {}", i + 1, what.commits)},
            {"timestamp", github_time(what.now)},
            {"url",
             fmt::format("{}/{}/commit/{}", options_.site.html_url, in.name.text(), sha.text())},
            {"author", who},
            {"committer", who},
            {"added", json::array{}},
            {"removed", std::move(removed)},
            {"modified", std::move(modified)},
        });
    }
    return commits;
}

Result<Webhook> GithubModel::push(const PushAction& what) {
    BATON_TRY(auto* const in, acted_on(what.repo));
    const auto known = in->refs.find(what.ref);
    const bool created = known == in->refs.end();
    if (!what.ref.starts_with("refs/") || (what.remove && created)) {
        return fail(Errc::invalid, fmt::format("{} has no ref {}", what.repo.text(), what.ref));
    }
    const auto before = created ? HeadSha(kNoCommit) : known->second.head;
    const auto after = what.remove ? HeadSha(kNoCommit) : new_commit(*in);
    const auto commits = what.remove ? json::array{} : push_commits(*in, what, after);
    in->pushed_at = what.now;
    if (what.remove) {
        in->refs.erase(what.ref);
    } else {
        auto& branch = in->refs[what.ref];
        branch.head = after;
        for (const auto& file : what.changes) {
            if (file.text) {
                branch.files[file.path] = *file.text;
            } else {
                branch.files.erase(file.path);
            }
        }
    }
    json::object body{
        {"ref", what.ref},
        {"before", before.text()},
        {"after", after.text()},
        {"repository", push_repo_json(options_.site, *in)},
        {"pusher",
         {{"name", what.by.text()}, {"email", what.by.text() + "@users.noreply.github.com"}}},
        {"created", created},
        {"deleted", what.remove},
        {"forced", false},
        {"base_ref", nullptr},
        {"compare",
         fmt::format(
             "{}/{}/compare/{}...{}",
             options_.site.html_url,
             in->name.text(),
             before.text().substr(0, 12),
             after.text().substr(0, 12)
         )},
        {"commits", commits},
        {"head_commit", commits.empty() ? json::value(nullptr) : commits.back()},
    };
    if (in->owner.organization) {
        body["organization"] = organization_json(options_.site, in->owner);
    }
    WebhookDraft draft{
        .event = "push",
        .action = {},
        .body = std::move(body),
        .sender = what.by,
        .pr = std::nullopt,
        .head = after,
        .now = what.now,
    };
    return send(*in, std::move(draft));
}

} // namespace baton::sim
