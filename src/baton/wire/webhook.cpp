#include "baton/wire/webhook.hpp"

#include "baton/base/assert.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/webhook_signature.hpp"
#include "baton/domain/event.hpp"
#include "baton/wire/json_document.hpp"
#include "baton/wire/json_fields.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace baton::wire {

namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kCommitsListedMax = 2048; // GitHub's documented bound of a push
constexpr std::size_t kCommitsListedOnce = 20;  // its older one, still seen

Result<std::string> sha_at(dom::object in, std::string_view pointer) {
    const auto hex = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    };
    BATON_TRY(const auto text, fields::text_at(in, pointer));
    if (text.size() != 40 || !std::ranges::all_of(text, hex)) {
        return fields::expected(pointer, "40 hex digits");
    }
    return std::string(text);
}

Result<Login> login_if(dom::object in, std::string_view person, std::string_view login) {
    BATON_TRY(const auto found, fields::object_if(in, person));
    if (!found) {
        return Login{}; // a deleted account
    }
    BATON_TRY(const auto text, fields::text_at(*found, login));
    return Login(std::string(text));
}

Result<std::optional<RepoName>> repository_of(dom::object root) {
    BATON_TRY(const auto repository, fields::object_if(root, "/repository"));
    if (!repository) {
        return std::optional<RepoName>{};
    }
    BATON_TRY(const auto text, fields::text_at(*repository, "/repository/full_name"));
    auto name = RepoName::parse(text);
    if (!name) {
        return fields::expected("/repository/full_name", "owner/repo");
    }
    return std::optional<RepoName>{*std::move(name)};
}

Result<std::vector<std::string>> labels_of(dom::object pull_request) {
    std::vector<std::string> labels;
    BATON_TRY(const auto listed, fields::array_if(pull_request, "/pull_request/labels"));
    if (!listed) {
        return labels;
    }
    for (const auto item : *listed) {
        const auto pointer = fmt::format("/pull_request/labels/{}", labels.size());
        dom::object label;
        if (item.get(label) != simdjson::SUCCESS) {
            return fields::expected(pointer, "an object");
        }
        BATON_TRY(const auto name, fields::text_at(label, pointer + "/name"));
        labels.emplace_back(name);
    }
    return labels;
}

struct Side {
    HeadSha sha;
    std::string ref;
};

Result<Side> side_of(dom::object pull_request, const std::string& pointer) {
    BATON_TRY(const auto side, fields::object_at(pull_request, pointer));
    BATON_TRY(auto sha, sha_at(side, pointer + "/sha"));
    BATON_TRY(const auto ref, fields::text_at(side, pointer + "/ref"));
    return Side{.sha = HeadSha(std::move(sha)), .ref = std::string(ref)};
}

Result<bool> is_open(dom::object pull_request) {
    constexpr std::string_view kPointer = "/pull_request/state";
    BATON_TRY(const auto state, fields::text_at(pull_request, kPointer));
    if (state != "open" && state != "closed") {
        return fields::expected(kPointer, "open or closed");
    }
    return state == "open";
}

Result<TimePoint> time_at(dom::object in, std::string_view pointer) {
    BATON_TRY(const auto text, fields::text_at(in, pointer));
    const auto when = parse_rfc3339(text);
    if (!when) {
        return fields::expected(pointer, "a time like 2026-11-15T13:30:00Z");
    }
    return *when;
}

Result<std::optional<TimePoint>> time_if(dom::object in, std::string_view pointer) {
    BATON_TRY(const auto text, fields::text_if(in, pointer));
    if (!text) {
        return std::optional<TimePoint>{};
    }
    BATON_TRY(const auto when, time_at(in, pointer));
    return std::optional(when);
}

/// Anybody writes titles: people see them, nothing is decided by them.
std::string title_in(const Result<std::optional<std::string_view>>& told) {
    constexpr std::size_t kTitleBytesMax = 256;
    const auto title = told ? told->value_or("") : std::string_view();
    return std::string(cut_to(inert(title), kTitleBytesMax));
}

Result<domain::PullRequestFacts> pull_request_of(dom::object root) {
    BATON_TRY(const auto pr, fields::object_at(root, "/pull_request"));
    BATON_TRY(const auto number, fields::positive_at(pr, "/pull_request/number"));
    BATON_TRY(auto head, side_of(pr, "/pull_request/head"));
    BATON_TRY(auto base, side_of(pr, "/pull_request/base"));
    BATON_TRY(const auto open, is_open(pr));
    BATON_TRY(const auto draft, fields::flag_if(pr, "/pull_request/draft"));
    BATON_TRY(auto labels, labels_of(pr));
    BATON_TRY(auto author, login_if(pr, "/pull_request/user", "/pull_request/user/login"));
    const auto title = fields::text_if(pr, "/pull_request/title"); // nothing depends on it
    BATON_TRY(const auto association, fields::text_if(pr, "/pull_request/author_association"));
    BATON_TRY(const auto updated_at, time_at(pr, "/pull_request/updated_at"));
    BATON_TRY(const auto closed_at, time_if(pr, "/pull_request/closed_at"));
    BATON_TRY(const auto merged_at, time_if(pr, "/pull_request/merged_at"));
    BATON_TRY(const auto before, fields::text_if(root, "/before"));
    BATON_TRY(const auto label, fields::object_if(root, "/label"));
    std::string label_name;
    if (label) {
        BATON_TRY(const auto name, fields::text_at(*label, "/label/name"));
        label_name = name;
    }
    return domain::PullRequestFacts{
        .number = PrNumber{number},
        .head = std::move(head.sha),
        .head_ref = std::move(head.ref),
        .base = std::move(base.sha),
        .base_ref = std::move(base.ref),
        .before = HeadSha(std::string(before.value_or(""))),
        .open = open,
        .draft = draft,
        .labels = std::move(labels),
        .label = std::move(label_name),
        .author = std::move(author),
        .title = title_in(title),
        .association = domain::association_named(association.value_or("")),
        .updated_at = updated_at,
        .closed_at = closed_at,
        .merged_at = merged_at,
    };
}

/// The files of a push, each once, as far as GitHub lists them and up to limits::kPushFilesMax.
struct PushedFiles {
    std::vector<std::string> files;
    std::unordered_set<std::string_view> seen; // views into the document
    std::size_t commits{0};
    bool complete{true};
};

Result<void> add_files(PushedFiles& pushed, dom::object commit, const std::string& pointer) {
    constexpr std::array<std::string_view, 3> kLists{"/added", "/modified", "/removed"};
    for (const auto list : kLists) {
        const auto where = pointer + std::string(list);
        BATON_TRY(const auto listed, fields::array_if(commit, where));
        if (!listed) {
            pushed.complete = false; // what the commit touched is not told
            continue;
        }
        for (const auto item : *listed) {
            std::string_view file;
            if (item.get(file) != simdjson::SUCCESS) {
                return fields::expected(where, "a list of file names");
            }
            if (pushed.files.size() >= limits::kPushFilesMax) {
                pushed.complete = false;
                return {};
            }
            if (pushed.seen.insert(file).second) {
                pushed.files.emplace_back(file);
            }
        }
    }
    return {};
}

Result<PushedFiles> files_of(dom::object root) {
    PushedFiles pushed;
    BATON_TRY(const auto commits, fields::array_if(root, "/commits"));
    if (!commits) {
        return pushed;
    }
    for (const auto item : *commits) {
        const auto pointer = fmt::format("/commits/{}", pushed.commits);
        dom::object commit;
        if (item.get(commit) != simdjson::SUCCESS) {
            return fields::expected(pointer, "an object");
        }
        if (auto added = add_files(pushed, commit, pointer); !added) {
            return fail(std::move(added).error());
        }
        ++pushed.commits;
    }
    return pushed;
}

/// Whether the listed commits are all that the push changed. A new or forced ref and a tag change
/// more (or other) files than the listed commits tell, and no commit at all tells nothing.
Result<bool> lists_all(dom::object root, std::string_view ref, std::size_t commits) {
    BATON_TRY(const auto created, fields::flag_if(root, "/created"));
    BATON_TRY(const auto forced, fields::flag_if(root, "/forced"));
    BATON_TRY(const auto size, fields::count_if(root, "/size"));
    BATON_TRY(const auto distinct, fields::count_if(root, "/distinct_size"));
    if (created || forced || commits == 0 || !ref.starts_with("refs/heads/")) {
        return false;
    }
    if (size || distinct) {
        return commits >= std::max(size.value_or(0), distinct.value_or(0));
    }
    return commits < kCommitsListedMax && commits != kCommitsListedOnce;
}

Result<domain::PushFacts> push_of(dom::object root) {
    BATON_TRY(const auto ref, fields::text_at(root, "/ref"));
    BATON_TRY(auto before, sha_at(root, "/before"));
    BATON_TRY(auto after, sha_at(root, "/after"));
    BATON_TRY(const auto deleted, fields::flag_if(root, "/deleted"));
    BATON_TRY(auto pushed, files_of(root));
    BATON_TRY(const auto all, lists_all(root, ref, pushed.commits));
    const bool gone = deleted || after.find_first_not_of('0') == std::string::npos;
    return domain::PushFacts{
        .ref = std::string(ref),
        .before = HeadSha(std::move(before)),
        .after = HeadSha(std::move(after)),
        .deleted = gone,
        .files = std::move(pushed.files),
        .files_complete = pushed.complete && all,
    };
}

/// Whose check it is; none for an App that is gone.
Result<std::int64_t> app_of(dom::object check, const std::string& pointer) {
    BATON_TRY(const auto app, fields::object_if(check, pointer));
    if (!app) {
        return std::int64_t{0};
    }
    return fields::positive_at(*app, pointer + "/id");
}

Result<domain::RerequestFacts> check_rerequest_of(dom::object root) {
    BATON_TRY(const auto check, fields::object_at(root, "/check_run"));
    BATON_TRY(auto head, sha_at(check, "/check_run/head_sha"));
    BATON_TRY(const auto name, fields::text_at(check, "/check_run/name"));
    BATON_TRY(const auto external_id, fields::text_if(check, "/check_run/external_id"));
    BATON_TRY(const auto app_id, app_of(check, "/check_run/app"));
    return domain::RerequestFacts{
        .head = HeadSha(std::move(head)),
        .check = std::string(name),
        .external_id = std::string(external_id.value_or("")),
        .app_id = app_id,
    };
}

Result<domain::RerequestFacts> suite_rerequest_of(dom::object root) {
    BATON_TRY(const auto suite, fields::object_at(root, "/check_suite"));
    BATON_TRY(auto head, sha_at(suite, "/check_suite/head_sha"));
    BATON_TRY(const auto app_id, app_of(suite, "/check_suite/app"));
    return domain::RerequestFacts{
        .head = HeadSha(std::move(head)), .check = "", .external_id = "", .app_id = app_id
    };
}

Result<domain::CommentFacts> comment_of(dom::object root) {
    BATON_TRY(const auto comment, fields::object_at(root, "/comment"));
    BATON_TRY(const auto text, fields::text_if(comment, "/comment/body"));
    BATON_TRY(const auto issue, fields::object_at(root, "/issue"));
    BATON_TRY(const auto number, fields::positive_at(issue, "/issue/number"));
    BATON_TRY(const auto pull_request, fields::object_if(issue, "/issue/pull_request"));
    return domain::CommentFacts{
        .number = PrNumber{number},
        .text = std::string(cut_to(text.value_or(""), limits::kCommandBytesMax)),
        .on_pull_request = pull_request.has_value(),
    };
}

Result<domain::MergeGroupFacts> merge_group_of(dom::object root) {
    BATON_TRY(const auto group, fields::object_at(root, "/merge_group"));
    BATON_TRY(auto head, sha_at(group, "/merge_group/head_sha"));
    BATON_TRY(const auto base_ref, fields::text_at(group, "/merge_group/base_ref"));
    return domain::MergeGroupFacts{
        .head = HeadSha(std::move(head)), .base_ref = std::string(base_ref)
    };
}

/// What Baton acts on is read and must be whole; other actions of the same events are not asked.
Result<void> read_facts(domain::Event& event, dom::object root) {
    const auto is = [&event](std::string_view name, std::string_view action) {
        return event.name == name && event.action == action;
    };
    if (event.name == "pull_request") {
        BATON_TRY(event.facts, pull_request_of(root));
    } else if (event.name == "push") {
        BATON_TRY(event.facts, push_of(root));
    } else if (is("check_run", "rerequested")) {
        BATON_TRY(event.facts, check_rerequest_of(root));
    } else if (is("check_suite", "rerequested")) {
        BATON_TRY(event.facts, suite_rerequest_of(root));
    } else if (is("issue_comment", "created")) {
        BATON_TRY(event.facts, comment_of(root));
    } else if (is("merge_group", "checks_requested")) {
        BATON_TRY(event.facts, merge_group_of(root));
    } else {
        event.facts = domain::OtherFacts{};
    }
    return {};
}

Result<domain::Event> event_of(const WebhookHead& head, dom::object root) {
    BATON_TRY(const auto action, fields::text_if(root, "/action"));
    BATON_TRY(auto repository, repository_of(root));
    BATON_TRY(auto sender, login_if(root, "/sender", "/sender/login"));
    domain::Event event{
        .delivery = head.delivery,
        .name = head.event,
        .action = std::string(action.value_or("")),
        .repository = std::move(repository),
        .sender = std::move(sender),
        .facts = {},
    };
    if (auto read = read_facts(event, root); !read) {
        return fail(std::move(read).error());
    }
    return event;
}

Result<domain::Event> parse(const WebhookHead& head, JsonBytes body) {
    return read_json_object(body, [&head](dom::object root) { return event_of(head, root); });
}

} // namespace

VerifiedWebhook::VerifiedWebhook(crypto::SignatureProof proof, WebhookHead head, std::string body)
    : proof_(proof)
    , head_(std::move(head))
    , body_(std::move(body)) {
    BATON_ASSERT(proof_.signed_bytes() == body_.size());
}

Result<domain::Event> parse_event(const VerifiedWebhook& webhook) {
    return parse(webhook.head(), JsonBytes(webhook.body()));
}

Result<domain::Event> parse_stored_event(const WebhookHead& head, std::string_view body) {
    return parse(head, JsonBytes(body));
}

} // namespace baton::wire
