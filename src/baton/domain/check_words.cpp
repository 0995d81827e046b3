#include "baton/domain/check_words.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/check_text.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/markdown.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace baton::domain {

namespace {

constexpr std::size_t kHandlesMax = 10;
constexpr std::size_t kHandleMax = 100;
constexpr std::size_t kShaShown = 12;
constexpr std::string_view kRelay = "baton"; // orders of its own name no person

/// A user or a team as GitHub spells them; anything else stays code.
bool is_mentionable(std::string_view handle) {
    return !handle.empty() && std::ranges::all_of(handle, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '/';
    });
}

} // namespace

std::string handles_of(const std::vector<Login>& oncalls, bool told) {
    std::string all;
    for (std::size_t i = 0; i < std::min(oncalls.size(), kHandlesMax); ++i) {
        const auto& handle = oncalls[i].text();
        all += all.empty() ? "" : ", ";
        all += told && is_mentionable(handle) ? "@" + handle : inert_markdown(handle, kHandleMax);
    }
    return oncalls.size() <= kHandlesMax
               ? all
               : fmt::format("{} and {} more", all, oncalls.size() - kHandlesMax);
}

std::string minute_of(TimePoint when) {
    const auto text = to_rfc3339(when);
    return fmt::format("{} {} UTC", text.substr(0, 10), text.substr(11, 5));
}

std::string failure_kind(const Job& job) {
    if (!job.conclusion) {
        return {};
    }
    if (job.said_by == SaidBy::relay) {
        return "never heard of again: its end was not reported in time";
    }
    switch (*job.conclusion) {
    case Conclusion::success:
    case Conclusion::neutral:
    case Conclusion::skipped:
        return {};
    case Conclusion::failure:
        return job.tests && job.tests->failed > 0
                   ? "test failure"
                   : "no failed test was reported: the build, the set-up or the infrastructure";
    case Conclusion::cancelled:
        return "cancelled downstream, so perhaps the infrastructure";
    case Conclusion::timed_out:
        return "timed out downstream, so perhaps the infrastructure";
    case Conclusion::action_required:
        return "somebody has to act downstream";
    }
    return {};
}

std::string overtaken_title(Overtaken overtaken, const HeadSha& newer, std::string_view who) {
    switch (overtaken) {
    case Overtaken::no:
        return {};
    case Overtaken::newer_commit:
        return fmt::format("Overtaken by commit {}", inert(newer.text().substr(0, kShaShown)));
    case Overtaken::closed:
        return "The pull request was closed";
    case Overtaken::unlabelled:
        return "No longer shown: its label was removed";
    case Overtaken::rerun_asked:
        if (who.empty() || who == kRelay) {
            return "Running again";
        }
        return fmt::format("Running again, as {} asked", inert(who));
    }
    return {};
}

std::string overtaken_sentence(Overtaken overtaken) {
    switch (overtaken) {
    case Overtaken::no:
        return {};
    case Overtaken::newer_commit:
        return "The pull request has moved on. This commit is waited for no more.";
    case Overtaken::closed:
        return "The pull request was closed. Nothing of it is waited for.";
    case Overtaken::unlabelled:
        return "Nobody wants to see it here any more. Set the label again to have it back.";
    case Overtaken::rerun_asked:
        return "It was asked to run again. What it says then will stand here.";
    }
    return {};
}

std::string page_link(const Subject& subject, std::string_view page) {
    return link_to("All downstreams of this pull request", page_of(subject, page)).value_or("");
}

std::string rerun_command(const RepoName& downstream) {
    return inert_markdown("@baton rerun " + downstream.text(), 2 * kHandleMax);
}

} // namespace baton::domain
