#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/gate.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/run.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What checks and comments say. Everything a downstream wrote is inert in it: no mention, link,
/// image or HTML of theirs works, and nothing of it leaves its cell.
namespace baton::domain {

inline constexpr std::size_t kCheckTitleMax = 255; // GitHub's limits in characters; kept in bytes,
inline constexpr std::size_t kCheckSummaryMax = 65'535; // of which there never are fewer

struct CheckText {
    std::string title;
    std::string summary;

    friend bool operator==(const CheckText&, const CheckText&) = default;
};

/// Why a check of a job does not show the job's own end.
enum class Overtaken : std::uint8_t {
    no = 1,
    newer_commit, // the pull request has moved on
    closed,
    unlabelled,  // nobody wants to see it any more
    rerun_asked, // it is being run again
};

struct JobTextFacts {
    const Job& job;
    const Subject& subject;
    const ReportDetail* detail{nullptr}; // null: none, or not read
    const std::vector<Login>& oncalls;
    std::string_view page; // of the HUD; empty: no link
    Overtaken overtaken{Overtaken::no};
    HeadSha newer;        // that it was overtaken by
    std::string_view who; // asked for the re-run
};

CheckText text_of_job(const JobTextFacts& facts);

struct GateTextFacts {
    const std::vector<GatePart>& parts;
    const Subject& subject;
    std::string_view page;
    Overtaken overtaken{Overtaken::no};
    HeadSha newer;
    std::string_view prefix{"crcr"}; // of our checks: the comment's mark
    std::string_view standing;       // our comment as it was last wanted; empty: none yet
};

/// One glance: who blocks, why, since when, what to do.
CheckText text_of_gate(const GateTextFacts& facts);

/// The one comment of a pull request, with the mark by which it is found again. Empty when nothing
/// ever was wrong. Mentions each on-call once per incident: from the first trouble until the part
/// passes, whatever commits come meanwhile, the text mentions the same people, and GitHub does not
/// notify for an edit that mentions nobody new. Who was told stands in `standing`.
std::string text_of_comment(const GateTextFacts& facts);

/// The first line of our comment on a pull request: invisible, and nobody else's.
std::string comment_mark(std::string_view prefix);

} // namespace baton::domain
