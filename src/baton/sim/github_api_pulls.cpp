#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/net/url.hpp"
#include "baton/sim/github_api.hpp"
#include "baton/sim/github_api_call.hpp"
#include "baton/sim/github_json.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_paging.hpp"
#include "baton/sim/github_types.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The endpoints that read pull requests, branches and commits.
namespace baton::sim {

namespace json = boost::json;

json::object shown(const GithubModel& model, const Repo& base, const Pull& pull) {
    return pull_json(
        model.options().site,
        {.pull = pull,
         .base = base,
         .head = *model.repo(pull.head_repo),
         .author = *model.find_account(pull.author)}
    );
}

namespace {

/// Which pull requests are asked for: `state`, `base` and `head`.
bool is_asked_for(const GithubModel& model, const Pull& pull, std::string_view query) {
    const auto state = net::query_value(query, "state").value_or("open");
    const auto base = net::query_value(query, "base").value_or("");
    const auto head = net::query_value(query, "head").value_or("");
    const auto label =
        fmt::format("{}:{}", model.repo(pull.head_repo)->owner.login.text(), pull.head_ref);
    return (state == "all" || (state == "open") == pull.open) &&
           (base.empty() || base == pull.base_ref) && (head.empty() || lower(head) == lower(label));
}

/// Newest first unless told otherwise. Popularity is not modelled: it orders like age.
void put_in_order(std::vector<const Pull*>& pulls, std::string_view query) {
    const auto sort = net::query_value(query, "sort").value_or("created");
    const bool by_change = sort == "updated";
    const auto direction = net::query_value(query, "direction")
                               .value_or(sort == "created" || by_change ? "desc" : "asc");
    const auto place = [&](const Pull* pull) {
        return std::pair(by_change ? pull->updated_at : pull->created_at, pull->number);
    };
    if (direction == "asc") {
        std::ranges::sort(pulls, std::less{}, place);
    } else {
        std::ranges::sort(pulls, std::greater{}, place);
    }
}

std::string refused_word(std::string_view query) {
    const std::pair<std::string_view, std::vector<std::string_view>> words[] = {
        {"state", {"open", "closed", "all"}},
        {"sort", {"created", "updated", "popularity", "long-running"}},
        {"direction", {"asc", "desc"}},
    };
    for (const auto& [name, allowed] : words) {
        const auto value = net::query_value(query, name);
        if (value && std::ranges::find(allowed, *value) == allowed.end()) {
            return std::string(name);
        }
    }
    return {};
}

json::object commit_json(const Site& site, const Repo& repo, const HeadSha& sha) {
    const auto api = fmt::format("{}/repos/{}", site.api_url, repo.name.text());
    const auto html = fmt::format("{}/{}", site.html_url, repo.name.text());
    const auto owner = account_json(site, repo.owner);
    const json::object person{
        {"name", repo.owner.login.text()},
        {"email", repo.owner.login.text() + "@users.noreply.github.com"},
        {"date", github_time(repo.pushed_at)},
    };
    const json::object unsigned_commit{
        {"verified", false},
        {"reason", "unsigned"},
        {"signature", nullptr},
        {"payload", nullptr},
        {"verified_at", nullptr},
    };
    const json::object inner{
        {"author", person},
        {"committer", person},
        {"message", "A change"},
        {"tree", {{"sha", sha.text()}, {"url", fmt::format("{}/git/trees/{}", api, sha.text())}}},
        {"url", fmt::format("{}/git/commits/{}", api, sha.text())},
        {"comment_count", 0},
        {"verification", unsigned_commit},
    };
    const auto self = fmt::format("{}/commits/{}", api, sha.text());
    return {
        {"sha", sha.text()},
        {"node_id", "C_kwDO" + sha.text().substr(0, 12)},
        {"commit", inner},
        {"url", self},
        {"html_url", fmt::format("{}/commit/{}", html, sha.text())},
        {"comments_url", self + "/comments"},
        {"author", owner},
        {"committer", owner},
        {"parents", json::array{}},
        {"stats", {{"total", 0}, {"additions", 0}, {"deletions", 0}}},
        {"files", json::array{}},
    };
}

} // namespace

ApiReply GithubApi::pulls(const Call& call) {
    const auto& query = call.request.query;
    if (const auto word = refused_word(query); !word.empty()) {
        return api_error(422, fmt::format("Validation Failed: {} is not a known value", word));
    }
    std::vector<const Pull*> found;
    for (const auto& [number, pull] : call.repo->pulls) {
        if (is_asked_for(model_, pull, query)) {
            found.push_back(&pull);
        }
    }
    put_in_order(found, query);
    const auto ask = PageAsk::in(query);
    json::array out;
    for (auto i = ask.begin(); i < std::min(found.size(), ask.begin() + ask.per_page); ++i) {
        out.push_back(shown(model_, *call.repo, *found[i]));
    }
    auto reply = api_json(200, out);
    const auto url = fmt::format(
        "{}/repositories/{}/pulls",
        model_.options().site.api_url,
        static_cast<std::int64_t>(call.repo->id)
    );
    if (auto links = page_links(url, query, ask, found.size()); !links.empty()) {
        reply.headers.add("Link", std::move(links));
    }
    return reply;
}

ApiReply GithubApi::pull(const Call& call) {
    const PrNumber number{number_in(call.capture(0)).value_or(0)};
    const auto found = call.repo->pulls.find(number);
    if (found == call.repo->pulls.end()) {
        return api_error(404, "Not Found");
    }
    return api_json(200, shown(model_, *call.repo, found->second));
}

ApiReply GithubApi::commit(const Call& call) {
    const auto& ref = call.capture(0);
    const auto sha = GithubModel::commit(*call.repo, ref);
    if (!sha) {
        return api_error(422, fmt::format("No commit found for SHA: {}", ref));
    }
    const auto accept = call.request.headers.find("Accept").value_or("");
    if (accept.find("application/vnd.github.sha") != std::string_view::npos) {
        ApiReply reply;
        reply.content_type = "application/vnd.github.sha; charset=utf-8";
        reply.body = sha->text();
        return reply;
    }
    return api_json(200, commit_json(model_.options().site, *call.repo, *sha));
}

ApiReply GithubApi::branch(const Call& call) {
    const auto& name = call.capture(0);
    const auto found = call.repo->refs.find("refs/heads/" + name);
    if (found == call.repo->refs.end()) {
        return api_error(404, "Branch not found");
    }
    const auto& site = model_.options().site;
    const auto self =
        fmt::format("{}/repos/{}/branches/{}", site.api_url, call.repo->name.text(), name);
    const auto page = fmt::format("{}/{}/tree/{}", site.html_url, call.repo->name.text(), name);
    return api_json(
        200,
        json::object{
            {"name", name},
            {"commit", commit_json(site, *call.repo, found->second.head)},
            {"_links", {{"self", self}, {"html", page}}},
            {"protected", false},
            {"protection", {{"enabled", false}}},
            {"protection_url", self + "/protection"},
        }
    );
}

} // namespace baton::sim
