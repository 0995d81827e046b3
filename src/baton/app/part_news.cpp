#include "baton/app/part_news.hpp"

#include "baton/api/health.hpp"
#include "baton/base/result.hpp"
#include "baton/ports/journal.hpp"
#include "baton/relay/healing.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

namespace baton::app {

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
        .healed = !error || relay::heals_by_itself(*error),
        .where = part,
        .detail = error ? now : fmt::format("works again; it was: {}", *before),
    });
}

} // namespace baton::app
