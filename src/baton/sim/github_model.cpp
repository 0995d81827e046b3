#include "baton/sim/github_model.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/plan.hpp"
#include "baton/sim/github_app.hpp"
#include "baton/sim/github_json.hpp"
#include "baton/sim/github_types.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::sim {

namespace json = boost::json;

namespace {

std::string full_ref(const Repo& repo, const std::string& ref) {
    if (ref.empty() || ref == "HEAD") {
        return "refs/heads/" + repo.default_branch;
    }
    return ref.starts_with("refs/") ? ref : "refs/heads/" + ref;
}

json::object brief_repo(const Repo& repo) {
    const auto id = static_cast<std::int64_t>(repo.id);
    return {
        {"id", id},
        {"node_id", node_id("R_kgDO", id)},
        {"name", repo.name.repo()},
        {"full_name", repo.name.text()},
        {"private", repo.is_private},
    };
}

} // namespace

GithubModel::GithubModel(Options options)
    : options_(std::move(options))
    , chance_(seed_for(options_.seed, "github"))
    , hooks_(options_.webhooks_max)
    , dispatches_(options_.dispatch_bodies_max) {}

Result<RepoId> GithubModel::create_repo(const NewRepo& repo) {
    if (names_.contains(repo.name)) {
        return fail(Errc::conflict, fmt::format("{} exists already", repo.name.text()));
    }
    const auto id = RepoId{next_repo_++};
    Repo made{
        .id = id,
        .name = repo.name,
        .owner = owner_account(Login(std::string(repo.name.owner())), true),
        .default_branch = repo.default_branch,
        .is_private = repo.is_private,
        .installed = repo.installed,
        .created_at = repo.now,
        .pushed_at = repo.now,
        .refs = {},
        .pulls = {},
        .issues = {},
        .commits = {},
        .rights = {},
        .required_checks = {},
    };
    made.refs["refs/heads/" + repo.default_branch].head = new_commit(made);
    const auto owner = lower(repo.name.owner());
    if (!installations_.contains(owner)) {
        installations_[owner] = InstallationId{next_installation_++};
    }
    old_names_.erase(repo.name); // a new repository takes the name from the redirect
    names_[repo.name] = id;
    repos_.emplace(id, std::move(made));
    return id;
}

const Account& GithubModel::account(const Login& login) {
    return owner_account(login, false);
}

const Account& GithubModel::owner_account(const Login& login, bool organization) {
    const auto key = lower(login.text());
    auto found = accounts_.find(key);
    if (found == accounts_.end()) {
        const Account made{.login = login, .id = next_account_++, .organization = organization};
        found = accounts_.emplace(key, made).first;
    }
    return found->second;
}

Result<void> GithubModel::set_permission(
    const RepoName& name, const Login& login, domain::Permission permission
) {
    auto* const found = find(name);
    if (found == nullptr) {
        return fail(Errc::not_found, fmt::format("no repository {}", name.text()));
    }
    account(login);
    found->rights[lower(login.text())] = permission;
    return {};
}

Result<void> GithubModel::put_file(const NewFile& file) {
    auto* const found = find(file.repo);
    if (found == nullptr) {
        return fail(Errc::not_found, fmt::format("no repository {}", file.repo.text()));
    }
    auto& branch = found->refs[full_ref(*found, file.ref)];
    branch.head = new_commit(*found);
    branch.files[file.path] = file.text;
    return {};
}

Result<void> GithubModel::rename(const RepoName& from, const RepoName& to) {
    auto* const found = find(from);
    if (found == nullptr) {
        return fail(Errc::not_found, fmt::format("no repository {}", from.text()));
    }
    if (names_.contains(to)) {
        return fail(Errc::conflict, fmt::format("{} exists already", to.text()));
    }
    names_.erase(from);
    old_names_.erase(to);
    old_names_[from] = found->id;
    names_[to] = found->id;
    found->name = to;
    found->owner = owner_account(Login(std::string(to.owner())), true);
    const auto owner = lower(to.owner());
    if (!installations_.contains(owner)) {
        installations_[owner] = InstallationId{next_installation_++};
    }
    return {};
}

Result<Webhook> GithubModel::set_installed(const RepoName& name, bool installed, TimePoint now) {
    auto* const found = find(name);
    if (found == nullptr) {
        return fail(Errc::not_found, fmt::format("no repository {}", name.text()));
    }
    found->installed = installed;
    const AppFacts app{.id = options_.app_id, .slug = options_.app_slug};
    json::array changed{brief_repo(*found)};
    json::object body{
        {"action", installed ? "added" : "removed"},
        {"installation",
         installation_json(options_.site, app, found->owner, installation_of(*found))},
        {"repository_selection", "selected"},
        {"repositories_added", installed ? changed : json::array{}},
        {"repositories_removed", installed ? json::array{} : changed},
        {"requester", nullptr},
    };
    return send(
        *found,
        WebhookDraft{
            .event = "installation_repositories",
            .action = installed ? "added" : "removed",
            .body = std::move(body),
            .sender = found->owner.login,
            .pr = std::nullopt,
            .head = {},
            .now = now,
        }
    );
}

/// Finishes a webhook as GitHub does: sender and installation last, a GUID, a line in the log.
Webhook GithubModel::send(const Repo& repo, WebhookDraft draft) {
    const auto installation = installation_of(repo);
    const auto number = static_cast<std::int64_t>(installation);
    draft.body["sender"] = account_json(options_.site, account(draft.sender));
    if (!draft.body.contains("installation")) {
        draft.body["installation"] = {{"id", number}, {"node_id", node_id("MDIzOklu", number)}};
    }
    Webhook webhook{
        .id = new_delivery_id(),
        .event = std::move(draft.event),
        .action = std::move(draft.action),
        .body = json::serialize(draft.body),
        .repo = repo.id,
        .installation = installation,
        .pr = draft.pr,
        .head = std::move(draft.head),
        .created_at = draft.now,
    };
    return *hooks_.add(std::move(webhook));
}

Result<void> GithubModel::redeliver(std::int64_t attempt, TimePoint now) {
    const auto* const line = hooks_.attempt(attempt, now);
    if (line == nullptr || !hooks_.webhook(line->webhook->id)) {
        return fail(Errc::not_found, fmt::format("no delivery attempt {}", attempt));
    }
    redeliveries_.push_back(line->webhook->id);
    return {};
}

std::vector<DeliveryId> GithubModel::take_redeliveries() {
    std::vector<DeliveryId> out(redeliveries_.begin(), redeliveries_.end());
    redeliveries_.clear();
    return out;
}

const Repo* GithubModel::repo(const RepoName& name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? nullptr : repo(found->second);
}

const Repo* GithubModel::repo(RepoId id) const {
    const auto found = repos_.find(id);
    return found == repos_.end() ? nullptr : &found->second;
}

Repo* GithubModel::find(const RepoName& name) {
    const auto found = names_.find(name);
    return found == names_.end() ? nullptr : &repos_.at(found->second);
}

Result<Repo*> GithubModel::acted_on(const RepoName& name) {
    auto* const found = find(name);
    if (found == nullptr) {
        return fail(Errc::not_found, fmt::format("no repository {}", name.text()));
    }
    if (!found->installed) {
        return fail(Errc::forbidden, fmt::format("the App is not installed on {}", name.text()));
    }
    return found;
}

std::optional<RepoId> GithubModel::moved(const RepoName& old_name) const {
    const auto found = old_names_.find(old_name);
    return found == old_names_.end() ? std::nullopt : std::optional(found->second);
}

const Pull* GithubModel::pull(const RepoName& name, PrNumber number) const {
    const auto* const in = repo(name);
    if (in == nullptr) {
        return nullptr;
    }
    const auto found = in->pulls.find(number);
    return found == in->pulls.end() ? nullptr : &found->second;
}

const Account* GithubModel::find_account(const Login& login) const {
    const auto found = accounts_.find(lower(login.text()));
    return found == accounts_.end() ? nullptr : &found->second;
}

domain::Permission GithubModel::permission(const Repo& in, const Login& login) const {
    const auto found = in.rights.find(lower(login.text()));
    if (found != in.rights.end()) {
        return found->second;
    }
    const bool may_read = !in.is_private && find_account(login) != nullptr;
    return may_read ? domain::Permission::read : domain::Permission::none;
}

const Branch* GithubModel::branch(const Repo& repo, const std::string& ref) {
    for (const auto& name : {full_ref(repo, ref), "refs/tags/" + ref}) {
        const auto found = repo.refs.find(name);
        if (found != repo.refs.end()) {
            return &found->second;
        }
    }
    const auto is_head = [&](const auto& entry) { return entry.second.head.text() == ref; };
    const auto found = std::ranges::find_if(repo.refs, is_head);
    return found == repo.refs.end() ? nullptr : &found->second;
}

std::optional<HeadSha> GithubModel::commit(const Repo& repo, const std::string& ref) {
    auto name = ref;
    for (const std::string_view prefix : {"heads/", "tags/"}) {
        if (name.starts_with(prefix)) {
            name = "refs/" + name;
        }
    }
    if (const auto* const found = branch(repo, name)) {
        return found->head;
    }
    for (const auto& [number, pull] : repo.pulls) {
        if (fmt::format("pull/{}/head", static_cast<std::int64_t>(number)) == ref) {
            return pull.head;
        }
    }
    const auto known = repo.commits.find(HeadSha(ref));
    return known == repo.commits.end() ? std::nullopt : std::optional(*known);
}

InstallationId GithubModel::installation_of(const Repo& repo) const {
    return installations_.at(lower(repo.name.owner()));
}

std::vector<const Repo*> GithubModel::installed_repos(InstallationId installation) const {
    std::vector<const Repo*> out;
    for (const auto& [id, each] : repos_) {
        if (each.installed && installation_of(each) == installation) {
            out.push_back(&each);
        }
    }
    return out;
}

RateLimit& GithubModel::rate_limit(InstallationId installation, TimePoint now) {
    const RateLimit fresh{.limit = options_.calls_per_hour};
    auto& limit = limits_.try_emplace(installation, fresh).first->second;
    if (limit.reset_at <= now) {
        limit.used = 0;
        limit.reset_at = now + std::chrono::hours{1};
    }
    return limit;
}

RateLimit& GithubModel::spend(InstallationId installation, TimePoint now) {
    auto& limit = rate_limit(installation, now);
    ++limit.used;
    return limit;
}

void GithubModel::set_calls_per_hour(std::int64_t calls) {
    options_.calls_per_hour = calls;
    for (auto& [installation, limit] : limits_) {
        limit.limit = calls;
    }
}

HeadSha GithubModel::new_commit(Repo& in) {
    return *in.commits.insert(new_sha()).first;
}

HeadSha GithubModel::new_sha() {
    // One draw per statement: the order in which arguments are evaluated is the compiler's choice.
    const auto first = chance_.draw().bits;
    const auto second = chance_.draw().bits;
    const auto third = chance_.draw().bits >> 32U;
    return HeadSha(fmt::format("{:016x}{:016x}{:08x}", first, second, third));
}

DeliveryId GithubModel::new_delivery_id() {
    const auto high = chance_.draw().bits;
    const auto low = chance_.draw().bits;
    return DeliveryId(fmt::format(
        "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
        high >> 32U,
        (high >> 16U) & 0xffffU,
        high & 0xfffU,
        0x8000U | ((low >> 48U) & 0x3fffU),
        low & 0xffffffffffffULL
    ));
}

} // namespace baton::sim
