#include "baton/report/verdict.hpp"

#include "baton/report/body.hpp"
#include "baton/report/ci.hpp"
#include "baton/report/send.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace baton::report {

namespace {

/// `: REASON`, or nothing when nobody gave one.
std::string because(const Outcome& outcome) {
    return outcome.answer.detail.empty() ? "" : ": " + outcome.answer.detail;
}

std::string_view accepted_how(const Answer& answer) {
    if (answer.stale) {
        return "the relay has a later report of this job already; this one changes nothing";
    }
    if (answer.duplicate) {
        return "the relay had this report already";
    }
    return "the relay has the report";
}

Verdict on_accepted(const Outcome& outcome, Status status) {
    if (!outcome.answer.proceed && status == Status::in_progress) {
        return {
            .exit_code = kNotToProceed,
            .weight = Weight::plain,
            .sentence = fmt::format("the relay says not to proceed{}", because(outcome)),
        };
    }
    if (!outcome.answer.proceed) {
        return {
            .sentence =
                fmt::format("the relay has the report and does not count it{}", because(outcome)),
        };
    }
    return {.sentence = fmt::format("{} ({})", accepted_how(outcome.answer), name_of(status))};
}

/// Percent signs and line ends would end a workflow command or begin another.
std::string command_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
        case '%':
            out += "%25";
            break;
        case '\r':
            out += "%0D";
            break;
        case '\n':
            out += "%0A";
            break;
        default:
            out += c;
        }
    }
    return out;
}

std::string_view name_of(Weight weight) {
    switch (weight) {
    case Weight::plain:
        return "notice";
    case Weight::warning:
        return "warning";
    case Weight::error:
        return "error";
    }
    return "error";
}

} // namespace

Verdict verdict_on(const Outcome& outcome, Status status, bool strict) {
    const int trouble = strict ? 1 : 0;
    switch (outcome.ending) {
    case Ending::accepted:
        return on_accepted(outcome, status);
    case Ending::ignored:
        return {
            .exit_code = 0,
            .weight = Weight::plain,
            .sentence = "the relay takes no results from this repository: it is listed at L1",
        };
    case Ending::refused:
        return {
            .exit_code = trouble,
            .weight = Weight::error,
            .sentence = fmt::format(
                "the relay refused the report with {}{}",
                outcome.answer.http_status,
                because(outcome)
            ),
        };
    case Ending::unreachable:
        return {
            .exit_code = trouble,
            .weight = Weight::warning,
            .sentence = fmt::format(
                "the relay could not be told, tried {} times{}", outcome.tries, because(outcome)
            ),
        };
    case Ending::no_token:
        return {
            .exit_code = trouble,
            .weight = Weight::error,
            .sentence = fmt::format("no identity token{}", because(outcome)),
        };
    }
    return {};
}

std::string line_for(Ci ci, Weight weight, const std::string& sentence) {
    if (ci == Ci::github_actions && weight != Weight::plain) {
        return fmt::format("::{} title=baton report::{}", name_of(weight), command_text(sentence));
    }
    return weight == Weight::plain ? fmt::format("baton: {}", sentence)
                                   : fmt::format("baton: {}: {}", name_of(weight), sentence);
}

} // namespace baton::report
