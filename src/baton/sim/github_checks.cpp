// What the App writes on commits and pull requests.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/check_book.hpp"
#include "baton/sim/comment_book.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/post.hpp"

#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>

namespace baton::sim {

namespace json = boost::json;

namespace {

PostReply not_found() {
    return {.status = 404, .message = "Not Found"};
}

} // namespace

PostReply GithubModel::create_check(RepoId id, const json::value& body, TimePoint now) {
    const auto* const in = repo(id);
    if (in == nullptr || !in->installed) {
        return not_found();
    }
    CheckEdit edit;
    if (auto refused = read_check(body, true, edit); !refused.good()) {
        return refused;
    }
    if (!in->commits.contains(HeadSha(edit.head))) {
        return {.status = 422, .message = fmt::format("No commit found for SHA: {}", edit.head)};
    }
    CheckRun run{
        .app_id = options_.app_id,
        .repo = id,
        .head = HeadSha(edit.head),
        .started_at = now,
        .completed_at = std::nullopt,
    };
    apply(edit, run, now);
    return {.status = 201, .message = {}, .id = checks_.add(std::move(run)).id};
}

PostReply
GithubModel::change_check(RepoId id, std::int64_t check, const json::value& body, TimePoint now) {
    const auto* const in = repo(id);
    auto* const run = checks_.find(check);
    if (in == nullptr || !in->installed || run == nullptr || run->repo != id) {
        return not_found();
    }
    if (run->app_id != options_.app_id) {
        return {
            .status = 403,
            .message = "Invalid app_id `" + fmt::to_string(options_.app_id) +
                       "` - check run can only be modified by the GitHub App that created it."
        };
    }
    CheckEdit edit;
    if (auto refused = read_check(body, false, edit); !refused.good()) {
        return refused;
    }
    apply(edit, *run, now);
    ++run->changes;
    return {.status = 200, .message = {}, .id = check};
}

PostReply
GithubModel::create_comment(RepoId id, PrNumber pr, const json::value& body, TimePoint now) {
    const auto* const in = repo(id);
    if (in == nullptr || !in->installed || !(in->pulls.contains(pr) || in->issues.contains(pr))) {
        return not_found();
    }
    std::string text;
    if (auto refused = read_comment(body, text); !refused.good()) {
        return refused;
    }
    const auto& made = comments_.add({
        .repo = id,
        .pr = pr,
        .author = Login(options_.app_slug + "[bot]"),
        .app_id = options_.app_id,
        .text = std::move(text),
        .created_at = now,
        .updated_at = now,
    });
    return {.status = 201, .message = {}, .id = made.id};
}

PostReply GithubModel::change_comment(
    RepoId id, std::int64_t comment, const json::value& body, TimePoint now
) {
    const auto* const in = repo(id);
    auto* const found = comments_.find(comment);
    if (in == nullptr || !in->installed || found == nullptr || found->repo != id) {
        return not_found();
    }
    std::string text;
    if (auto refused = read_comment(body, text); !refused.good()) {
        return refused;
    }
    found->text = std::move(text);
    found->updated_at = now;
    ++found->changes;
    return {.status = 200, .message = {}, .id = comment};
}

PostReply GithubModel::rerun(const Rerun& what) {
    const auto* const in = repo(what.repo);
    return in == nullptr || !in->installed ? not_found() : rerun_listener_(what);
}

} // namespace baton::sim
