#pragma once

#include "baton/quality/assessment.hpp"

#include <array>
#include <cstdint>
#include <string_view>

/// How far evidence can be trusted, from what it is declared to be. `verify` looks whether digests
/// and signatures hold; this does not.
namespace baton::quality {

enum class Trust : std::uint8_t { statement = 0, link, file, reported, measured };

inline constexpr std::array kTrusts{
    Trust::statement, Trust::link, Trust::file, Trust::reported, Trust::measured
};

/// The first that holds, best first:
///   T4 measured   a relay's own snapshot, or its figure over a window, with its digest
///   T3 reported   of a run that an authenticated repository reported, with its digest
///   T2 file       a file beside the assessment, with its digest
///   T1 link       a page or a query that everybody can open
///   T0 statement  somebody's word, or what others cannot look at
/// A statement stays one wherever it stands.
Trust trust_of(const Evidence& evidence);

std::string_view tier_of(Trust trust);  // "T2"
std::string_view words_of(Trust trust); // "a file with its digest"

} // namespace baton::quality
