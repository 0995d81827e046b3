#pragma once

#include "baton/base/ids.hpp"

#include <string>

namespace baton::wire {

/// What a nightly is about: the newest commit of the upstream's default branch when it was due.
struct ScheduledSubject {
    RepoName upstream;
    std::string ref;
    HeadSha head;
};

/// `{"repository": {"full_name": "o/r"}, "ref": "HEAD", "head_sha": "…"}`: the payload of a
/// dispatch that no webhook caused.
std::string scheduled_payload(const ScheduledSubject& subject);

} // namespace baton::wire
