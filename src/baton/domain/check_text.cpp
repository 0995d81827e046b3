#include "baton/domain/check_text.hpp"

#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/check_words.hpp"
#include "baton/domain/gate.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/markdown.hpp"
#include "baton/domain/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::domain {

namespace {

constexpr std::size_t kFailedTestsShown = 10;
constexpr std::size_t kNameShown = 200; // characters
constexpr std::size_t kMessageShown = 300;
constexpr std::size_t kUrlShown = 200;

std::string_view verdict_of(const Job& job) {
    if (!job.conclusion) {
        return "Running";
    }
    switch (*job.conclusion) {
    case Conclusion::success:
        return "Success";
    case Conclusion::failure:
        return "Failure";
    case Conclusion::neutral:
        return "Neutral";
    case Conclusion::cancelled:
        return "Cancelled";
    case Conclusion::skipped:
        return "Skipped";
    case Conclusion::timed_out:
        return "Timed out";
    case Conclusion::action_required:
        return "Action required";
    }
    return "";
}

std::string counts_of(const std::optional<TestCounts>& tests) {
    if (!tests) {
        return {};
    }
    if (tests->failed > 0) {
        return fmt::format("{} of {} tests failed", tests->failed, tests->total);
    }
    const auto skipped =
        tests->skipped > 0 ? fmt::format(", {} skipped", tests->skipped) : std::string();
    return fmt::format("{} tests passed{}", tests->passed, skipped);
}

std::string title_of(const JobTextFacts& facts) {
    const auto& job = facts.job;
    if (facts.overtaken != Overtaken::no) {
        return overtaken_title(facts.overtaken, facts.newer, facts.who);
    }
    auto counts = counts_of(job.tests);
    if (job.conclusion && job.said_by == SaidBy::relay) {
        counts = "never heard of again";
    }
    return fmt::format(
        "{}{}{}{}",
        verdict_of(job),
        counts.empty() ? "" : ": ",
        counts,
        job.key.attempt > 1 ? fmt::format(" (attempt {})", job.key.attempt) : ""
    );
}

std::string verdict_line(const Job& job) {
    const auto kind = failure_kind(job);
    const auto counts = counts_of(job.tests);
    return fmt::format(
        "**{}**{}{}.{}{}{}",
        verdict_of(job),
        kind.empty() ? "" : ": ",
        kind,
        counts.empty() ? "" : " ",
        counts,
        counts.empty() ? "" : "."
    );
}

std::string job_line(const Job& job) {
    return fmt::format(
        "{} of {}{}{}{}",
        inert_markdown(label_of(job), kNameShown),
        inert_markdown(job.subject.downstream.text(), kNameShown),
        job.device.empty() ? "" : " on ",
        job.device.empty() ? "" : inert_markdown(job.device, kNameShown),
        job.key.attempt > 1 ? fmt::format(", attempt {}", job.key.attempt) : ""
    );
}

/// What a reader of the verdict alone would get wrong.
std::string caveats_of(const Job& job) {
    std::string all;
    if (!job.counts) {
        all += "Another run of this workflow has the dispatch; this one is only shown. ";
    }
    if (job.replaced) {
        all += "Its word came after Baton had given it up. ";
    }
    return all;
}

std::string counts_table(const TestCounts& tests) {
    return fmt::format(
        "| passed | failed | skipped | total |\n|---:|---:|---:|---:|\n| {} | {} | {} | {} |",
        tests.passed,
        tests.failed,
        tests.skipped,
        tests.total
    );
}

std::string failed_tests_table(const ReportDetail& detail, std::int64_t failed) {
    const auto shown = std::min(detail.failed_tests.size(), kFailedTestsShown);
    std::string table = "| failed test | message |\n|---|---|";
    for (std::size_t i = 0; i < shown; ++i) {
        const auto& test = detail.failed_tests[i];
        table += fmt::format(
            "\n| {} | {} |",
            inert_markdown(test.name, kNameShown),
            trimmed(test.message).empty() ? "" : inert_markdown(test.message, kMessageShown)
        );
    }
    const auto all = std::max(failed, static_cast<std::int64_t>(detail.failed_tests.size()));
    const auto more = all - static_cast<std::int64_t>(shown);
    return more == 0 ? table : fmt::format("{}\n\n… and {} more: see the run.", table, more);
}

/// "1h 2m", "3m 12s", "45s"
std::string rough(Millis duration) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration).count();
    if (seconds >= 3600) {
        return fmt::format("{}h {}m", seconds / 3600, seconds % 3600 / 60);
    }
    return seconds >= 60 ? fmt::format("{}m {}s", seconds / 60, seconds % 60)
                         : fmt::format("{}s", seconds);
}

std::string times_line(const Job& job) {
    std::vector<std::string> times;
    const auto add = [&times](std::string_view what, std::optional<Millis> duration) {
        if (duration) {
            times.push_back(fmt::format("{} {}", what, rough(*duration)));
        }
    };
    if (job.started_at) {
        times.push_back(fmt::format("started {}", minute_of(*job.started_at)));
    }
    add("queue", job.queue);
    add("execution", execution_of(job));
    add("end to end", end_to_end_of(job));
    return times.empty() ? "" : fmt::format("Times: {}.", fmt::join(times, ", "));
}

std::string links_line(const JobTextFacts& facts) {
    std::string line;
    if (const auto run = link_to("The run downstream", facts.job.url)) {
        line = *run;
    } else if (!facts.job.url.empty()) {
        line = "The run downstream: " + inert_markdown(facts.job.url, kUrlShown);
    }
    const auto page = page_link(facts.subject, facts.page);
    return line.empty() || page.empty() ? line + page : fmt::format("{} · {}", line, page);
}

std::string owners_line(const JobTextFacts& facts) {
    const bool red = facts.job.conclusion && is_red(*facts.job.conclusion);
    const auto owners = handles_of(facts.oncalls, red && facts.overtaken == Overtaken::no);
    return owners.empty() ? "" : fmt::format("On-call: {}.", owners);
}

std::string rerun_line(const JobTextFacts& facts) {
    return facts.job.conclusion ? fmt::format(
                                      "To run it again: press **Re-run** here, or comment {}.",
                                      rerun_command(facts.job.subject.downstream)
                                  )
                                : "";
}

} // namespace

CheckText text_of_job(const JobTextFacts& facts) {
    const auto& job = facts.job;
    std::vector<std::string> paragraphs{
        overtaken_sentence(facts.overtaken),
        verdict_line(job),
        job_line(job),
        caveats_of(job),
        job.tests ? counts_table(*job.tests) : "",
        facts.detail == nullptr || facts.detail->failed_tests.empty()
            ? ""
            : failed_tests_table(*facts.detail, job.tests ? job.tests->failed : 0),
        times_line(job),
        owners_line(facts),
        links_line(facts),
        rerun_line(facts),
    };
    std::erase(paragraphs, "");
    return {
        .title = std::string(cut_to(title_of(facts), kCheckTitleMax)),
        .summary = cut_lines(fmt::format("{}\n", fmt::join(paragraphs, "\n\n")), kCheckSummaryMax),
    };
}

} // namespace baton::domain
