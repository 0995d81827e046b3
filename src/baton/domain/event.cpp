#include "baton/domain/event.hpp"

#include "baton/base/ids.hpp"
#include "baton/domain/command.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace baton::domain {

namespace {

struct KnownEvent {
    std::string_view name;
    std::string_view action; // empty: any, or none
};

// SPEC section 6: forwarded to downstreams.
constexpr std::array kForwarded{
    KnownEvent{.name = "pull_request", .action = "opened"},
    KnownEvent{.name = "pull_request", .action = "reopened"},
    KnownEvent{.name = "pull_request", .action = "synchronize"},
    KnownEvent{.name = "pull_request", .action = "closed"},
    KnownEvent{.name = "push", .action = ""},
};

// These only move Baton's own state.
constexpr std::array kNoted{
    KnownEvent{.name = "pull_request", .action = "labeled"},
    KnownEvent{.name = "pull_request", .action = "unlabeled"},
    KnownEvent{.name = "pull_request", .action = "ready_for_review"},
    KnownEvent{.name = "pull_request", .action = "converted_to_draft"},
    KnownEvent{.name = "check_run", .action = "rerequested"},
    KnownEvent{.name = "check_suite", .action = "rerequested"},
    KnownEvent{.name = "merge_group", .action = "checks_requested"},
    KnownEvent{.name = "issue_comment", .action = "created"},
};

template <class Table>
bool stands_in(const Table& table, std::string_view name, std::string_view action) {
    return std::ranges::any_of(table, [&](const KnownEvent& known) {
        return known.name == name && (known.action.empty() || known.action == action);
    });
}

template <class Table> bool names(const Table& table, std::string_view event_name) {
    return std::ranges::any_of(table, [&](const KnownEvent& known) {
        return known.name == event_name;
    });
}

bool tells_of_installations(std::string_view name) {
    return name == "installation" || name == "installation_repositories";
}

Concern ignored(std::string_view reason) {
    return {.ours = false, .reason = reason};
}

Concern concern_of_facts(const Event& event) {
    if (const auto* push = std::get_if<PushFacts>(&event.facts); push != nullptr && push->deleted) {
        return ignored("ref deleted");
    }
    if (const auto* comment = std::get_if<CommentFacts>(&event.facts); comment != nullptr) {
        if (!comment->on_pull_request) {
            return ignored("comment is not on a pull request");
        }
        if (!command_in(comment->text)) {
            return ignored("comment is not a command");
        }
    }
    return {.ours = true, .reason = ""};
}

} // namespace

bool may_change(const Event& event, const WatchedFile& file) {
    const auto* push = std::get_if<PushFacts>(&event.facts);
    return push != nullptr && !push->deleted && event.repository == file.repo &&
           push->ref == "refs/heads/" + file.ref &&
           (!push->files_complete || std::ranges::find(push->files, file.path) != push->files.end()
           );
}

Concern concern_of(const Event& event, const Interests& interests) {
    if (event.name == "ping") {
        return ignored("ping");
    }
    // Which repositories the App can reach; these events name no repository.
    if (tells_of_installations(event.name)) {
        return {.ours = true, .reason = ""};
    }
    if (!names(kForwarded, event.name) && !names(kNoted, event.name)) {
        return ignored("event not handled");
    }
    const bool from_upstream =
        event.repository &&
        std::ranges::find(interests.upstreams, *event.repository) != interests.upstreams.end();
    if (!from_upstream) {
        const auto changes = [&event](const WatchedFile& file) { return may_change(event, file); };
        if (std::ranges::any_of(interests.files, changes)) {
            return {.ours = true, .reason = ""};
        }
        return ignored("repository is not an upstream");
    }
    if (!may_concern(event.name, event.action)) {
        return ignored("action not handled");
    }
    return concern_of_facts(event);
}

bool may_concern(std::string_view name, std::string_view action) {
    return tells_of_installations(name) || stands_in(kForwarded, name, action) ||
           stands_in(kNoted, name, action);
}

bool is_forwarded(const Event& event) {
    const auto* push = std::get_if<PushFacts>(&event.facts);
    return stands_in(kForwarded, event.name, event.action) && (push == nullptr || !push->deleted);
}

Association association_named(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, Association>, 6> kNames{{
        {"OWNER", Association::owner},
        {"MEMBER", Association::member},
        {"COLLABORATOR", Association::collaborator},
        {"CONTRIBUTOR", Association::contributor},
        {"FIRST_TIME_CONTRIBUTOR", Association::first_time_contributor},
        {"FIRST_TIMER", Association::first_timer},
    }};
    for (const auto& [known, association] : kNames) {
        if (known == name) {
            return association;
        }
    }
    return Association::none;
}

} // namespace baton::domain
