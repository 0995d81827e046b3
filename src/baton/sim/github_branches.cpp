// What the App does to a repository: branches, files on them, and pull requests from them.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/base64url.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/post.hpp"

#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::sim {

namespace json = boost::json;

namespace {

const std::string kHeads = "refs/heads/";

PostReply refused(int status, std::string message) {
    return {.status = status, .message = std::move(message)};
}

std::optional<std::string> text_in(const json::value& body, std::string_view name) {
    const auto* const found = body.is_object() ? body.as_object().if_contains(name) : nullptr;
    return found != nullptr && found->is_string() ? std::optional<std::string>(found->as_string())
                                                  : std::nullopt;
}

/// GitHub's words for a body that lacks something.
PostReply missing(std::string_view name) {
    return refused(422, fmt::format("Invalid request.\n\n\"{}\" wasn't supplied.", name));
}

/// What of git's rules a name can break that people really type.
bool is_ref_name(std::string_view ref) {
    const auto slashes = std::ranges::count(ref, '/');
    return ref.starts_with("refs/") && slashes >= 2 && !ref.ends_with('/') &&
           !ref.ends_with(".lock") && ref.find("..") == std::string_view::npos &&
           ref.find("//") == std::string_view::npos && ref.find("/.") == std::string_view::npos &&
           ref.find_first_of(" ~^:?*[\\") == std::string_view::npos;
}

} // namespace

std::string blob_sha(const std::string& text) {
    return crypto::sha256_hex(text).substr(0, 40);
}

PrNumber GithubModel::next_number(const Repo& repo) {
    return PrNumber{static_cast<std::int64_t>(repo.pulls.size() + repo.issues.size()) + 1};
}

Result<PrNumber> GithubModel::open_issue(const RepoName& name) {
    BATON_TRY(auto* const in, acted_on(name));
    return *in->issues.insert(next_number(*in)).first;
}

PostReply GithubModel::create_ref(RepoId id, const json::value& body) {
    const auto ref = text_in(body, "ref");
    const auto sha = text_in(body, "sha");
    if (!ref || !sha) {
        return missing(ref ? "sha" : "ref");
    }
    auto& in = repos_.at(id);
    if (!is_ref_name(*ref)) {
        return refused(422, "Reference name is invalid");
    }
    if (!in.commits.contains(HeadSha(*sha))) {
        return refused(422, "Object does not exist");
    }
    if (in.refs.contains(*ref)) {
        return refused(422, "Reference already exists");
    }
    const auto* const from = branch(in, *sha);
    auto made = from == nullptr ? Branch{} : *from; // of a commit that no branch has, nothing
    made.head = HeadSha(*sha);
    in.refs.emplace(*ref, std::move(made));
    return {};
}

PostReply GithubModel::write_file(
    RepoId id, const std::string& path, const json::value& body, TimePoint now
) {
    const auto content = text_in(body, "content");
    if (!content || !text_in(body, "message")) {
        return missing(content ? "message" : "content");
    }
    const auto bytes = crypto::from_base64(*content);
    if (!bytes) {
        return refused(422, "content is not valid Base64");
    }
    auto& in = repos_.at(id);
    const auto name = text_in(body, "branch").value_or(in.default_branch);
    const auto found = in.refs.find(kHeads + name);
    if (found == in.refs.end()) {
        return refused(404, fmt::format("Branch {} not found", name));
    }
    auto& files = found->second.files;
    const auto known = files.find(path);
    const auto replaces = text_in(body, "sha");
    if (known != files.end() && !replaces) {
        return missing("sha");
    }
    if (known != files.end() && *replaces != blob_sha(known->second)) {
        return refused(409, fmt::format("{} does not match {}", path, *replaces));
    }
    const bool created = known == files.end();
    files[path] = *bytes;
    found->second.head = new_commit(in);
    in.pushed_at = now;
    for (auto& [number, pull] : in.pulls) { // what is proposed from there follows
        if (pull.open && pull.head_repo == id && pull.head_ref == name) {
            pull.head = found->second.head;
            pull.updated_at = now;
        }
    }
    return {.status = created ? 201 : 200, .message = {}};
}

PostReply GithubModel::create_pull(RepoId id, const json::value& body, TimePoint now) {
    const auto head = text_in(body, "head");
    const auto base = text_in(body, "base");
    const auto title = text_in(body, "title");
    if (!head || !base || !title) {
        return missing(!head ? "head" : !base ? "base" : "title");
    }
    auto& in = repos_.at(id);
    const auto source = in.refs.find(kHeads + *head);
    const auto target = in.refs.find(kHeads + *base);
    if (source == in.refs.end() || target == in.refs.end()) {
        const auto field = source == in.refs.end() ? "head" : "base";
        return refused(422, fmt::format("Validation Failed: {} is invalid", field));
    }
    for (const auto& [number, pull] : in.pulls) {
        if (pull.open && pull.head_repo == id && pull.head_ref == *head && pull.base_ref == *base) {
            const auto whose = fmt::format("{}:{}", in.owner.login.text(), *head);
            return refused(
                422, fmt::format("Validation Failed: A pull request already exists for {}.", whose)
            );
        }
    }
    if (source->second.head == target->second.head) {
        return refused(
            422, fmt::format("Validation Failed: No commits between {} and {}", *base, *head)
        );
    }
    const Login bot(options_.app_slug + "[bot]");
    account(bot);
    const auto number = next_number(in);
    Pull pull{
        .number = number,
        .id = next_pull_++,
        .title = *title,
        .text = text_in(body, "body").value_or(""),
        .author = bot,
        .head_repo = id,
        .head_ref = *head,
        .head = source->second.head,
        .base_ref = *base,
        .base = target->second.head,
        .labels = {},
        .association = association_of(in, bot),
        .created_at = now,
        .updated_at = now,
        .closed_at = std::nullopt,
    };
    in.pulls.emplace(number, std::move(pull));
    return {.status = 201, .message = {}, .id = static_cast<std::int64_t>(number)};
}

} // namespace baton::sim
