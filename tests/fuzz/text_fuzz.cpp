// The small readers that everything leans on: names, times, durations, globs, inert text.

#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/fuzz.hpp"

namespace {

using namespace baton;
using fuzz::promise;

void check_inert(std::string_view text) {
    const auto shown = inert(text);
    promise(!broken_utf8_at(shown), "inert text is UTF-8");
    promise(fuzz::is_inert(shown), "inert text has no control characters");
    promise(shown.size() <= 1024, "inert text is short");
}

void check_times(std::string_view text) {
    if (const auto when = parse_rfc3339(text)) {
        const auto written = to_rfc3339(*when);
        const auto again = parse_rfc3339(written);
        promise(again && *again == *when, "a time is the one it says");
    }
    if (const auto duration = parse_duration(text)) {
        promise(duration->count() >= 0, "no duration is negative");
        const auto again = parse_duration(to_text(*duration));
        promise(again && *again == *duration, "a duration is the one it says");
    }
}

void check_names(std::string_view text) {
    const auto name = RepoName::parse(text);
    if (!name) {
        return;
    }
    promise(name->text() == text, "a name keeps its spelling");
    promise(std::ranges::count(text, '/') == 1, "owner/repo");
    promise(!name->owner().empty() && !name->repo().empty(), "both have a name");
    promise(RepoName::parse(name->key()) == *name, "upper and lower case are one name");
    promise(text.find("..") == std::string_view::npos || name->repo() != "..", "no way upwards");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = fuzz::text_of(data, size);
    check_inert(text);
    check_times(text);
    check_names(text);
    if (const auto number = whole_number(text)) {
        promise(*number >= 0, "a whole number has no sign");
    }
    auto rest = text;
    const auto pattern = fuzz::take_until(rest, '\n');
    const bool matches = glob_matches(pattern, rest);
    const bool plain = pattern.find_first_of("*?") == std::string_view::npos;
    promise(!plain || matches == (pattern == rest), "without stars a glob is the text itself");
    promise(glob_matches("**", rest), "two stars match everything");
    return 0;
}
