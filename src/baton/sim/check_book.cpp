#include "baton/sim/check_book.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/post.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::sim {

namespace json = boost::json;

namespace {

constexpr std::size_t kTitleMax = 255;
constexpr std::size_t kSummaryMax = 65'535;
// The others of GitHub's words are for GitHub itself and for Actions.
constexpr std::array<std::string_view, 3> kStatuses{"queued", "in_progress", "completed"};
constexpr std::array<std::string_view, 7> kConclusions{
    "action_required", "cancelled", "failure", "neutral", "success", "skipped", "timed_out"
};

PostReply invalid(std::string_view why) {
    return {.status = 422, .message = fmt::format("Invalid request.\n\n{}", why)};
}

/// One text of a body; the first refusal stays.
class Reader {
public:
    explicit Reader(const json::object& body)
        : body_(body) {}

    std::optional<std::string> text(std::string_view name) {
        const auto* const found = body_.if_contains(name);
        if (found == nullptr || found->is_null()) {
            return std::nullopt;
        }
        if (!found->is_string()) {
            refuse(fmt::format("For 'properties/{}', the value is not a string.", name));
            return std::nullopt;
        }
        return std::string(found->as_string());
    }

    std::optional<std::string> needed(std::string_view name) {
        auto found = text(name);
        if (!found) {
            refuse(fmt::format("\"{}\" wasn't supplied.", name));
        }
        return found;
    }

    template <class Words>
    std::optional<std::string> word(std::string_view name, const Words& known) {
        auto found = text(name);
        if (found && std::ranges::find(known, *found) == known.end()) {
            refuse(fmt::format(
                "For 'properties/{}', {} is not a member of {}.",
                name,
                *found,
                fmt::join(known, ", ")
            ));
        }
        return found;
    }

    std::optional<std::string> bounded(std::string_view name, std::size_t most) {
        auto found = needed(name);
        if (found && found->size() > most) { // GitHub says characters, and counts bytes
            refuse(fmt::format(
                "Only {} characters are allowed; {} were supplied.", most, found->size()
            ));
        }
        return found;
    }

    std::optional<TimePoint> time(std::string_view name) {
        const auto found = text(name);
        const auto when = found ? parse_rfc3339(*found) : Result<TimePoint>{};
        if (!when) {
            refuse(fmt::format("{} is not a valid date-time.", *found));
        }
        return found && when ? std::optional(*when) : std::nullopt;
    }

    void refuse(std::string_view why) {
        if (reply.good()) {
            reply = invalid(why);
        }
    }

    PostReply reply;

private:
    const json::object& body_;
};

PostReply read_output(const json::value& body, CheckEdit& edit) {
    const auto* const output = body.as_object().if_contains("output");
    if (output == nullptr) {
        return {};
    }
    if (!output->is_object()) {
        return invalid("For 'properties/output', the value is not an object.");
    }
    Reader reader(output->as_object());
    edit.title = reader.bounded("title", kTitleMax);
    edit.summary = reader.bounded("summary", kSummaryMax);
    return reader.reply;
}

bool is_web_address(std::string_view text) {
    return text.starts_with("https://") || text.starts_with("http://");
}

} // namespace

PostReply read_check(const json::value& body, bool creates, CheckEdit& edit) {
    if (!body.is_object()) {
        return {.status = 400, .message = "Body should be a JSON object"};
    }
    Reader reader(body.as_object());
    edit.name = creates ? reader.needed("name") : reader.text("name");
    edit.head = creates ? reader.needed("head_sha").value_or("") : std::string{};
    edit.external_id = reader.text("external_id");
    edit.details_url = reader.text("details_url");
    edit.status = reader.word("status", kStatuses);
    edit.conclusion = reader.word("conclusion", kConclusions);
    edit.started_at = reader.time("started_at");
    edit.completed_at = reader.time("completed_at");
    if (edit.details_url && !is_web_address(*edit.details_url)) {
        reader.refuse("details_url must use http or https scheme");
    }
    if (edit.status == "completed" && !edit.conclusion) {
        reader.refuse("\"conclusion\" wasn't supplied.");
    }
    return reader.reply.good() ? read_output(body, edit) : reader.reply;
}

void apply(const CheckEdit& edit, CheckRun& run, TimePoint now) {
    const auto take = [](const auto& from, auto& to) {
        if (from) {
            to = *from;
        }
    };
    take(edit.name, run.name);
    take(edit.external_id, run.external_id);
    take(edit.details_url, run.details_url);
    take(edit.status, run.status);
    take(edit.title, run.title);
    take(edit.summary, run.summary);
    take(edit.started_at, run.started_at);
    if (edit.conclusion) {
        run.status = "completed";
        run.conclusion = *edit.conclusion;
        run.completed_at = edit.completed_at.value_or(now);
        run.ended_at = run.ended_at.value_or(now);
    } else if (run.status != "completed") {
        run.conclusion.clear();
        run.completed_at.reset();
        run.ended_at.reset();
    }
}

CheckRun& CheckBook::add(CheckRun run) {
    const SuiteKey key{run.repo, run.head, run.app_id};
    const auto known = suites_.find(key);
    run.suite = known != suites_.end() ? known->second : (suites_[key] = next_suite_++);
    run.id = next_run_++;
    by_commit_[{run.repo, run.head}].push_back(run.id);
    return runs_.emplace(run.id, std::move(run)).first->second;
}

CheckRun* CheckBook::find(std::int64_t id) {
    const auto found = runs_.find(id);
    return found == runs_.end() ? nullptr : &found->second;
}

std::vector<const CheckRun*> CheckBook::of(RepoId repo, const HeadSha& head) const {
    std::vector<const CheckRun*> out;
    const auto found = by_commit_.find({repo, head});
    if (found != by_commit_.end()) {
        for (const auto id : found->second) {
            out.push_back(&runs_.at(id));
        }
    }
    return out;
}

std::vector<const CheckRun*> CheckBook::newest_of(RepoId repo, const HeadSha& head) const {
    std::map<std::pair<std::int64_t, std::string>, const CheckRun*> newest;
    for (const auto* const run : of(repo, head)) {
        newest[{run->app_id, run->name}] = run;
    }
    std::vector<const CheckRun*> out;
    for (const auto& [key, run] : newest) {
        out.push_back(run);
    }
    std::ranges::sort(out, {}, &CheckRun::id);
    return out;
}

std::optional<std::int64_t>
CheckBook::suite(RepoId repo, const HeadSha& head, std::int64_t app_id) const {
    const auto found = suites_.find({repo, head, app_id});
    return found == suites_.end() ? std::nullopt : std::optional(found->second);
}

} // namespace baton::sim
