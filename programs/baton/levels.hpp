#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/outage.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/awaitable.hpp>

#include <CLI/App.hpp>

#include <optional>
#include <string>
#include <vector>

namespace baton::program {

/// The verbs of `baton levels`, one file each.
void add_levels_status(CLI::App& group, int& exit_code);
void add_levels_explain(CLI::App& group, int& exit_code);
void add_levels_evaluate(CLI::App& group, int& exit_code);
void add_levels_what_if(CLI::App& group, int& exit_code);
void add_levels_lint(CLI::App& group, int& exit_code);
void add_levels_rule(CLI::App& group, int& exit_code);
void add_levels_bundle(CLI::App& group, int& exit_code);
void add_levels_verify(CLI::App& group, int& exit_code);
void add_levels_graduate(CLI::App& group, int& exit_code);

/// A downstream, the upstream that is meant, and that upstream's list in force.
struct Candidate {
    ports::AllowlistVersion list;
    domain::Downstream entry;
    std::vector<RepoName> hidden; // private downstreams of that list
};

/// `not_found` when no list names it, with the nearest name; `invalid` when several do and
/// `upstream` is empty.
boost::asio::awaitable<Result<Candidate>>
find_candidate(ports::Store* store, RepoName downstream, std::optional<RepoName> upstream);

/// Pauses of the downstream in the lists that were in force on each day of the time.
boost::asio::awaitable<Result<std::vector<domain::TimeSpan>>>
pauses_of(ports::Store* store, Candidate candidate, TimePoint from, TimePoint until);

/// `2026-11-16`, or a time; nullopt after saying that it is neither.
std::optional<TimePoint> day_or_complain(const std::string& text);

} // namespace baton::program
