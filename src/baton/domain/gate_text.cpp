#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/domain/check_text.hpp"
#include "baton/domain/check_words.hpp"
#include "baton/domain/gate.hpp"
#include "baton/domain/markdown.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::domain {

namespace {

constexpr std::size_t kNameShown = 200; // characters
constexpr std::size_t kReasonShown = 300;
constexpr std::size_t kFailingShown = 5;
constexpr std::size_t kCommentMax = 60'000; // bytes; GitHub takes 65,536 characters
constexpr std::string_view kTold = "<!-- told: ";
constexpr std::string_view kEnd = " -->";

using Parts = std::vector<GatePart>;

/// Who blocks now, then who may yet, then the others.
int rank_of(PartState state) {
    switch (state) {
    case PartState::failed:
        return 0;
    case PartState::held:
        return 1;
    case PartState::running:
        return 2;
    case PartState::waiting:
        return 3;
    case PartState::settling:
        return 4;
    case PartState::neutral:
        return 5;
    case PartState::passed:
        return 6;
    }
    return 7;
}

Parts in_order(Parts parts) {
    std::ranges::sort(parts, [](const GatePart& a, const GatePart& b) {
        return std::pair(rank_of(a.state), a.downstream) <
               std::pair(rank_of(b.state), b.downstream);
    });
    return parts;
}

template <class Rule> Parts those(const Parts& parts, Rule rule) {
    Parts chosen;
    std::ranges::copy_if(parts, std::back_inserter(chosen), rule);
    return chosen;
}

bool is_failed(const GatePart& part) {
    return part.state == PartState::failed;
}

bool is_open(const GatePart& part) {
    return !is_decided(part.state);
}

/// Told to its on-call when it was suspended: not again on every pull request that comes since.
bool is_suspended(const GatePart& part) {
    return part.suspended;
}

/// Something that this pull request met first.
bool is_trouble(const GatePart& part) {
    return is_failed(part) || (part.state == PartState::neutral && !is_suspended(part));
}

std::string names_of(const Parts& parts) {
    return parts.size() == 1
               ? parts.front().downstream.text()
               : fmt::format("{} and {} more", parts.front().downstream.text(), parts.size() - 1);
}

std::string verdict_of(const GateTextFacts& facts) {
    if (facts.overtaken != Overtaken::no) {
        return overtaken_title(facts.overtaken, facts.newer, "");
    }
    const auto parts = in_order(facts.parts);
    if (parts.empty()) {
        return "Nothing to wait for";
    }
    if (const auto failed = those(parts, is_failed); !failed.empty()) {
        return "Blocked by " + names_of(failed);
    }
    if (const auto open = those(parts, is_open); !open.empty()) {
        return "Waiting for " + names_of(open);
    }
    const auto passed =
        those(parts, [](const GatePart& part) { return part.state == PartState::passed; });
    if (passed.empty()) {
        return fmt::format("Nobody holds it up: {} of {} neutral", parts.size(), parts.size());
    }
    return passed.size() == parts.size()
               ? fmt::format("Passed: {} of {} downstreams", passed.size(), parts.size())
               : fmt::format(
                     "Passed: {} of {} downstreams, {} neutral",
                     passed.size(),
                     parts.size(),
                     parts.size() - passed.size()
                 );
}

std::string what_to_do(const GatePart& part) {
    const auto until = part.until ? minute_of(*part.until) : std::string("the time limit");
    switch (part.state) {
    case PartState::failed:
        return fmt::format(
            "look at what failed; comment {} when it is not the change, or ask the owner",
            rerun_command(part.downstream)
        );
    case PartState::held:
        return "nothing yet: it is red, but that is not its last word";
    case PartState::running:
        return fmt::format("nothing: it turns neutral at {} unless it has ended", until);
    case PartState::waiting:
        return fmt::format("nothing: it turns neutral at {} unless it has started", until);
    case PartState::settling:
        return fmt::format("nothing: it is decided at {}", until);
    case PartState::neutral:
        return "nothing: it holds up no merge; its owner is asked to look";
    case PartState::passed:
        return "nothing";
    }
    return "";
}

std::string failing_line(const Job& job) {
    const auto run = link_to("the run", job.url);
    return fmt::format(
        "\n  - {}: {}{}{}",
        inert_markdown(label_of(job), kNameShown),
        failure_kind(job),
        run ? ", see " : "",
        run.value_or("")
    );
}

/// One part in full: owner, reason, since when, what to do.
std::string told_in_full(const GatePart& part, std::string_view owners) {
    auto text = fmt::format(
        "- **{}** {}: {}\n  - since {}; owner: {}",
        inert_markdown(part.downstream.text(), kNameShown),
        name_of(part.state),
        inert_sentence(part.reason, kReasonShown),
        minute_of(part.since),
        owners.empty() ? "nobody is listed" : owners
    );
    for (std::size_t i = 0; i < std::min(part.failing.size(), kFailingShown); ++i) {
        text += failing_line(part.failing[i]);
    }
    if (part.failing.size() > kFailingShown) {
        text += fmt::format("\n  - and {} more", part.failing.size() - kFailingShown);
    }
    return text + "\n  - what to do: " + what_to_do(part);
}

std::string table_of(const Parts& parts) {
    std::string table = "| downstream | state | why | since |\n|---|---|---|---|";
    for (const auto& part : parts) {
        table += fmt::format(
            "\n| {} | {} | {} | {} |",
            inert_markdown(part.downstream.text(), kNameShown),
            name_of(part.state),
            inert_sentence(part.reason, kReasonShown),
            minute_of(part.since)
        );
    }
    return table;
}

std::string joined(std::vector<std::string> paragraphs, std::size_t most) {
    std::erase(paragraphs, "");
    return cut_lines(fmt::format("{}\n", fmt::join(paragraphs, "\n\n")), most);
}

/// The downstreams whose on-calls our comment mentions already: hidden lines at its head, where no
/// stranger's word ever stands.
std::set<RepoName> told_in(std::string_view comment) {
    std::set<RepoName> told;
    while (comment.starts_with("<!--")) {
        const auto line = comment.substr(0, comment.find('\n'));
        comment.remove_prefix(std::min(line.size() + 1, comment.size()));
        if (line.starts_with(kTold) && line.ends_with(kEnd)) {
            const auto name = line.substr(kTold.size(), line.size() - kTold.size() - kEnd.size());
            if (auto repo = RepoName::parse(name); repo) {
                told.insert(*std::move(repo));
            }
        }
    }
    return told;
}

/// Mentions those who are not mentioned further up.
std::string owners_once(const GatePart& part, std::set<std::string>& mentioned) {
    std::vector<Login> fresh;
    std::vector<Login> known;
    for (const auto& login : part.oncalls) {
        auto& side = mentioned.insert(lower(login.text())).second ? fresh : known;
        side.push_back(login);
    }
    auto owners = handles_of(fresh, true);
    const auto others = handles_of(known, false);
    owners += owners.empty() || others.empty() ? "" : ", ";
    return owners + others;
}

} // namespace

CheckText text_of_gate(const GateTextFacts& facts) {
    const auto verdict = verdict_of(facts);
    const auto parts = in_order(facts.parts);
    std::vector<std::string> paragraphs{
        fmt::format("**{}**", inert_sentence(verdict, kReasonShown)),
        overtaken_sentence(facts.overtaken)
    };
    if (parts.empty()) {
        paragraphs.emplace_back("No downstream that may block was sent this commit.");
    }
    for (const auto& part :
         those(parts, [](const auto& one) { return is_failed(one) || is_open(one); })) {
        paragraphs.push_back(told_in_full(part, handles_of(part.oncalls, is_failed(part))));
    }
    const auto others =
        those(parts, [](const auto& one) { return !is_failed(one) && !is_open(one); });
    paragraphs.push_back(others.empty() ? "" : table_of(others));
    paragraphs.push_back(page_link(facts.subject, facts.page));
    return {
        .title = std::string(cut_to(verdict, kCheckTitleMax)),
        .summary = joined(std::move(paragraphs), kCheckSummaryMax),
    };
}

std::string text_of_comment(const GateTextFacts& facts) {
    if (facts.overtaken != Overtaken::no) {
        return std::string(facts.standing); // it is history, and says so nowhere better
    }
    const auto told = told_in(facts.standing);
    const auto incidents = those(in_order(facts.parts), [&told](const GatePart& part) {
        const bool open = is_open(part) || is_suspended(part);
        return is_trouble(part) || (open && told.contains(part.downstream));
    });
    if (incidents.empty() && facts.standing.empty()) {
        return {};
    }
    auto head = comment_mark(facts.prefix);
    for (const auto& part : incidents) {
        head += fmt::format("\n{}{}{}", kTold, part.downstream.text(), kEnd);
    }
    std::vector<std::string> paragraphs{std::move(head)};
    if (incidents.empty()) {
        paragraphs.emplace_back(
            "**Downstream CI: resolved.** Everybody named here before has passed, or is waited for "
            "no more."
        );
    } else {
        paragraphs.push_back(
            fmt::format("**Downstream CI: {}**", inert_sentence(verdict_of(facts), kReasonShown))
        );
    }
    std::set<std::string> mentioned;
    for (const auto& part : incidents) {
        paragraphs.push_back(told_in_full(part, owners_once(part, mentioned)));
    }
    paragraphs.push_back(page_link(facts.subject, facts.page));
    return joined(std::move(paragraphs), kCommentMax);
}

std::string comment_mark(std::string_view prefix) {
    return fmt::format("<!-- baton: {} -->", prefix);
}

} // namespace baton::domain
