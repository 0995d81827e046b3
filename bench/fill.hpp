#pragma once

#include "baton/base/time.hpp"
#include "baton/store/sqlite/engine.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

/// A store as it would be after a season: pull requests, what was sent for them, and what came
/// back.
namespace baton::bench {

struct Season {
    std::size_t jobs{1'000'000};
    std::uint64_t seed{1};
    std::size_t downstreams{40};
    std::size_t jobs_each{12};
    std::size_t days{90};
    TimePoint until{from_ms(1'800'000'000'000)};
};

inline constexpr std::size_t kJobsPerDay = 11'111; // so that a million are 90 days

inline constexpr const char* kUpstream = "upstream/project";

std::string downstream_named(std::size_t number);

/// Adds a season to a store of the newest schema, 10,000 jobs a transaction; `baton db verify`
/// finds nothing in it. The same season is the same rows. The connection's failure tells what went
/// wrong.
void fill(store::sqlite::Connection& db, const Season& season);

} // namespace baton::bench
