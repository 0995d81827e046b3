#include "baton/wire/scheduled_payload.hpp"

#include "baton/wire/json_text.hpp"

#include <fmt/format.h>

#include <string>

namespace baton::wire {

std::string scheduled_payload(const ScheduledSubject& subject) {
    return fmt::format(
        R"({{"repository":{{"full_name":{}}},"ref":{},"head_sha":{}}})",
        json_quoted(subject.upstream.text()),
        json_quoted(subject.ref),
        json_quoted(subject.head.text())
    );
}

} // namespace baton::wire
