#include "baton/app/part_news.hpp"

#include "baton/api/health.hpp"
#include "baton/base/result.hpp"
#include "baton/ports/journal.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

namespace baton::app {

namespace {

/// Whether it can heal without a person.
bool passes(const Error& error) {
    return error.code == Errc::unavailable || error.code == Errc::timed_out ||
           error.code == Errc::throttled;
}

} // namespace

void tell_part(
    api::Readiness& readiness,
    ports::Journal& journal,
    const std::string& part,
    const std::optional<Error>& error
) {
    const auto now = error ? error->detail : "";
    const auto before = readiness.set(part, now);
    if (before == now || (!error && before.value_or(std::string(kNotLookedAt)) == kNotLookedAt)) {
        return;
    }
    journal.note(ports::Trouble{
        .healed = !error || passes(*error),
        .where = part,
        .detail = error ? now : fmt::format("works again; it was: {}", *before),
    });
}

} // namespace baton::app
