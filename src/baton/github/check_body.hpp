#pragma once

#include "baton/ports/github.hpp"

#include <cstddef>
#include <string>

/// The bodies of requests about checks and comments. Whatever the texts hold, the JSON is valid and
/// within GitHub's limits.
namespace baton::github {

inline constexpr std::size_t kCheckTitleMax = 255; // GitHub says characters and counts bytes
inline constexpr std::size_t kCheckSummaryMax = 65'535;
inline constexpr std::size_t kCommentMax = 65'536;

/// Of POST check-runs, or of PATCH check-runs/{id} when the call has an id: a commit cannot be
/// changed.
std::string check_body(const ports::CheckCall& call);

std::string comment_body(const ports::CommentCall& call);

} // namespace baton::github
