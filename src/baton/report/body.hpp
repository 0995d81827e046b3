#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/wire/junit.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace baton::report {

/// What `workflow.status` may say.
enum class Status : std::uint8_t { in_progress = 1, completed };

std::string_view name_of(Status status);

/// A report for the dispatch that started the job: its client_payload goes back as it came.
struct Echo {
    std::string client_payload; // a JSON object
};

/// A report nobody asked for: a run of the downstream's own schedule.
struct SelfReport {
    std::string event_type; // nightly, periodic
    HeadSha sha;
    RepoName upstream;
};

/// Everything that one report says.
struct Report {
    std::variant<Echo, SelfReport> origin;
    Status status{Status::in_progress};
    std::string conclusion; // of a completed one
    std::string workflow;
    std::string run_id;
    int run_attempt{1};
    std::string job_name;
    std::string check_run_id; // empty: made from run and attempt, as PyTorch's own action does
    std::string url;
    std::string started_at; // RFC 3339; empty: not known
    std::string completed_at;
    std::string artifact_url;
    std::vector<std::pair<std::string, std::string>> environment;
    std::optional<wire::TestSummary> tests; // read from JUnit files

    // JSON texts that were given as they are, each checked by `checked_part`; empty: none.
    std::string test_results; // stands before what was counted
    std::string failed_tests; // likewise
    std::string benchmarks;
    std::string triage_verdict;
    std::string artifacts;

    std::vector<std::string> notes; // what was left out, and why
};

/// Below the 2 MiB that a relay takes (SPEC section 8).
inline constexpr std::size_t kReportBytesMax = 2'000'000;
/// Below this nothing is cut any more: a relay that takes less is none.
inline constexpr std::size_t kReportBytesLeast = 100'000;
/// One JSON text that the job hands over.
inline constexpr std::size_t kPartBytesMax = 1'000'000;

struct Body {
    std::string json;
    std::vector<std::string> notes; // the report's, and what was cut to make it fit
};

/// The callback's body within `bytes_max`. What does not fit goes in this order: stacks, messages
/// and names of failed tests, each from the end, expected failures, then the JSON texts. `invalid`
/// when not even the rest fits, or the client_payload is no JSON object.
Result<Body> make_body(const Report& report, std::size_t bytes_max);

/// The same for people: `callback_token` is shown as `***`.
Result<Body> make_shown_body(const Report& report);

enum class Shape : std::uint8_t { object, list };

/// Whether a text is JSON of that shape; `invalid` with a sentence. The relay looks closer.
Result<void> checked_part(std::string_view text, Shape shape);

/// The client_payload in the event file of GitHub Actions: `not_found` when the event has none, so
/// that the relay did not start the job.
Result<std::string> client_payload_in(std::string_view event_json);

} // namespace baton::report
