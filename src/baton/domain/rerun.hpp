#pragma once

#include "baton/domain/run.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace baton::domain {

enum class RerunScope : std::uint8_t { failed = 1, all };
enum class RerunCause : std::uint8_t { person = 1, infrastructure };

/// What became of an order.
enum class RerunState : std::uint8_t {
    waiting = 1, // to be carried out
    asked,       // GitHub runs it again, or had not ended it yet
    dispatched,  // it could not be run again, so it was dispatched afresh
    refused,     // neither could be done; the reason is beside it
};

std::string_view name_of(RerunScope scope);
std::string_view name_of(RerunCause cause);
std::string_view name_of(RerunState state);
std::optional<RerunScope> rerun_scope_named(std::string_view name);
std::optional<RerunCause> rerun_cause_named(std::string_view name);
std::optional<RerunState> rerun_state_named(std::string_view name);

/// An order to run something again. Carried out once, however often it is given.
struct NewRerun {
    std::string key; // what makes two orders one: the delivery that asked, or the run that was lost
    Subject subject; // an empty head: that of the pull request when it is carried out
    RepoName downstream;
    std::string run_id; // empty: every run of this downstream on that head
    RerunScope scope{RerunScope::failed};
    RerunCause cause{RerunCause::person};
    std::string actor; // who asked

    friend bool operator==(const NewRerun&, const NewRerun&) = default;
};

struct Rerun : NewRerun {
    std::int64_t id{0};
    RerunState state{RerunState::waiting};
    TimePoint created_at{};
    std::optional<TimePoint> ended_at;
    std::string detail;

    friend bool operator==(const Rerun&, const Rerun&) = default;
};

} // namespace baton::domain
