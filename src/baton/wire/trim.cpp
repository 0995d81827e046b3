#include "baton/wire/trim.hpp"

#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/wire/json_text.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/parse_options.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::wire {

namespace json = boost::json;

namespace {

/// One thing to take out. Without `keep` the member goes; with it the object at `path` stays with
/// those members only.
struct Row {
    std::string_view path;
    std::string_view keep; // separated by blanks
};

constexpr Row gone(std::string_view path) {
    return {.path = path, .keep = ""};
}

constexpr Row only(std::string_view path, std::string_view keep) {
    return {.path = path, .keep = keep};
}

constexpr std::string_view kRepo =
    "id name full_name private fork html_url clone_url default_branch";
constexpr std::string_view kUser = "login id type";

/// The order is part of what Baton promises: first what says nothing new
/// (links that can be built, repositories and people described for the third time), then what only
/// people read, then the description, then what a clone of the repository can tell.
constexpr std::array kBulky{
    gone("pull_request._links"),
    only("pull_request.base.repo", kRepo),
    only("pull_request.head.repo", kRepo),
    gone("organization"),
    gone("enterprise"),
    gone("pull_request.requested_reviewers"),
    gone("pull_request.requested_teams"),
    gone("pull_request.assignees"),
    gone("pull_request.assignee"),
    gone("pull_request.milestone"),
    gone("pull_request.auto_merge"),
    only("pull_request.merged_by", kUser),
    only("pull_request.base.user", kUser),
    only("pull_request.head.user", kUser),
    only("pull_request.user", kUser),
    only("sender", kUser),
    only("pull_request.labels[]", "name"),
    gone("pull_request.body"),
    gone("commits[].added"),
    gone("commits[].removed"),
    gone("commits[].modified"),
    gone("commits"),
    only("head_commit", "id timestamp url"),
    only("repository", kRepo),
};

/// What is left at the very end: nothing but kKept. The outermost comes last, so that each row says
/// what it took.
constexpr std::array kSkeleton{
    only("pull_request.labels[]", "name"),
    only("pull_request.head.repo", "full_name"),
    only("pull_request.head", "sha ref repo"),
    only("pull_request.base", "sha ref"),
    only("pull_request.user", "login"),
    only("pull_request", "number title state draft merged labels head base user"),
    only("repository", "full_name"),
    only("sender", "login"),
    only(
        "",
        "action number pull_request repository ref before after deleted base_ref head_sha sender"
    ),
};

constexpr std::array<std::string_view, 22> kKept{
    "action",
    "number",
    "pull_request.number",
    "pull_request.title",
    "pull_request.state",
    "pull_request.draft",
    "pull_request.merged",
    "pull_request.labels[].name",
    "pull_request.head.sha",
    "pull_request.head.ref",
    "pull_request.head.repo.full_name",
    "pull_request.base.sha",
    "pull_request.base.ref",
    "pull_request.user.login",
    "repository.full_name",
    "ref",
    "before",
    "after",
    "deleted",
    "base_ref",
    "head_sha", // of relay-owned schedules
    "sender.login",
};

/// The part of `path` before the first `.`, which is taken off.
std::string_view take_segment(std::string_view& path) {
    const auto dot = std::min(path.find('.'), path.size());
    const auto segment = path.substr(0, dot);
    path.remove_prefix(std::min(dot + 1, path.size()));
    return segment;
}

bool names_member(std::string_view list, std::string_view member) {
    while (!list.empty()) {
        const auto blank = std::min(list.find(' '), list.size());
        if (list.substr(0, blank) == member) {
            return true;
        }
        list.remove_prefix(std::min(blank + 1, list.size()));
    }
    return false;
}

/// Adds every object at `path` below `node`. What is missing, or of another kind, is passed over.
void find_objects(json::value& node, std::string_view path, std::vector<json::object*>& found) {
    if (path.empty()) {
        if (auto* object = node.if_object()) {
            found.push_back(object);
        }
        return;
    }
    auto name = take_segment(path);
    const bool each = name.ends_with("[]");
    name.remove_suffix(each ? 2 : 0);
    auto* object = node.if_object();
    auto* member = object == nullptr ? nullptr : object->if_contains(name);
    if (member == nullptr) {
        return;
    }
    if (!each) {
        find_objects(*member, path, found);
    } else if (auto* array = member->if_array()) {
        for (auto& element : *array) {
            find_objects(element, path, found);
        }
    }
}

std::size_t member_size(std::string_view name, const json::value& value) {
    return json::serialize(name).size() + 1 + json::serialize(value).size(); // name:value
}

/// Returns the bytes that it saved in the serialised text.
std::size_t drop_member(json::object& object, std::string_view name) {
    const auto it = object.find(name);
    if (it == object.end()) {
        return 0;
    }
    const std::size_t comma = object.size() > 1 ? 1 : 0;
    const auto saved = member_size(it->key(), it->value()) + comma;
    object.stable_erase(it);
    return saved;
}

std::size_t keep_members(json::object& object, std::string_view keep) {
    std::size_t saved = 0;
    json::object slim(object.storage());
    for (auto& [name, value] : object) {
        if (names_member(keep, name)) {
            slim.emplace(name, std::move(value));
        } else {
            saved += member_size(name, value) + 1;
        }
    }
    if (saved > 0 && slim.empty()) {
        --saved; // the last member has no comma
    }
    object = std::move(slim);
    return saved;
}

std::size_t carry_out(json::value& root, const Row& row) {
    auto path = row.path;
    std::string_view member;
    if (row.keep.empty()) {
        const auto dot = path.rfind('.');
        member = dot == std::string_view::npos ? path : path.substr(dot + 1);
        path = dot == std::string_view::npos ? std::string_view{} : path.substr(0, dot);
    }
    std::vector<json::object*> objects;
    find_objects(root, path, objects);
    std::size_t saved = 0;
    for (auto* object : objects) {
        saved += row.keep.empty() ? drop_member(*object, member) : keep_members(*object, row.keep);
    }
    return saved;
}

std::string name_of(const Row& row) {
    if (row.keep.empty()) {
        return std::string(row.path);
    }
    return row.path.empty() ? "*" : fmt::format("{}.*", row.path);
}

/// The document on its way to being small enough. Sizes are kept by subtraction: writing a body of
/// megabytes anew after each row would hold up everybody else.
class Trimming {
public:
    Trimming(json::value root, std::size_t budget)
        : root_(std::move(root))
        , size_(json::serialize(root_).size())
        , budget_(budget) {}

    bool fits() const { return size_ <= budget_; }

    void carry_out_all(std::span<const Row> rows, bool even_if_it_fits) {
        for (const auto& row : rows) {
            if (fits() && !even_if_it_fits) {
                return;
            }
            const auto saved = carry_out(root_, row);
            size_ -= saved;
            if (saved > 0) {
                note(name_of(row));
            }
        }
    }

    TrimmedPayload done() && {
        return {.json = json::serialize(root_), .trimmed = std::move(trimmed_)};
    }

private:
    void note(std::string name) {
        if (std::ranges::find(trimmed_, name) == trimmed_.end()) {
            trimmed_.push_back(std::move(name));
            size_ += names_size({trimmed_.back()});
        }
    }

    json::value root_;
    std::size_t size_; // of the document and the names together
    std::size_t budget_;
    std::vector<std::string> trimmed_;
};

Result<json::value> parse_object(std::string_view text) {
    json::parse_options options;
    options.max_depth = limits::kJsonDepthMax;
    boost::system::error_code error;
    auto root = json::parse(text, error, {}, options);
    if (error || !root.is_object()) {
        return fail(Errc::invalid, "the payload is not a JSON object that can be trimmed");
    }
    return root;
}

} // namespace

std::span<const std::string_view> kept_fields() {
    return kKept;
}

std::size_t names_size(const std::vector<std::string>& trimmed) {
    std::size_t size = 0;
    for (const auto& name : trimmed) {
        size += json_quoted(name).size() + 1;
    }
    return size;
}

Result<TrimmedPayload>
trim(std::string_view payload_json, std::size_t budget_bytes, domain::TrimStep at_least) {
    if (at_least <= 0) {
        if (payload_json.size() <= budget_bytes) {
            return TrimmedPayload{.json = std::string(payload_json), .trimmed = {}};
        }
        auto small = minified(payload_json);
        if (small.size() <= budget_bytes) {
            return TrimmedPayload{.json = std::move(small), .trimmed = {}};
        }
    }
    BATON_TRY(auto root, parse_object(payload_json));
    Trimming trimming(std::move(root), budget_bytes);
    trimming.carry_out_all(kBulky, at_least >= 1);
    trimming.carry_out_all(kSkeleton, at_least >= domain::kTrimStepMax);
    if (!trimming.fits()) {
        return fail(
            Errc::invalid,
            fmt::format(
                "the fields that every downstream needs do not fit into {} bytes", budget_bytes
            )
        );
    }
    return std::move(trimming).done();
}

} // namespace baton::wire
