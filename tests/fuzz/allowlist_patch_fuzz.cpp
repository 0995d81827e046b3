// A list that anybody may have written, in which Baton proposes another level for one entry: what
// comes out is the same list but for that level, or a person is asked for.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/level.hpp"
#include "baton/wire/allowlist.hpp"
#include "baton/wire/allowlist_patch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "unit/wire/applied_patch.hpp"

namespace {

using namespace baton;
using fuzz::promise;

constexpr std::string_view kPath = "list.yml";

/// The lines that a comment stands alone in, in an order of their own.
std::vector<std::string> comments_in(std::string_view text) {
    std::vector<std::string> comments;
    for (const auto& line : test::lines_of(text)) {
        const auto first = line.find_first_not_of(' ');
        if (first != std::string::npos && line[first] == '#') {
            comments.push_back(line.substr(first, line.find_last_not_of("\r\n") + 1 - first));
        }
    }
    std::ranges::sort(comments);
    return comments;
}

void check_moved(
    const domain::Allowlist& before,
    const domain::Downstream& entry,
    domain::Level to,
    std::string_view text
) {
    const auto reading = wire::read_allowlist(text);
    promise(reading.allowlist.has_value(), "a patched list is a good list");
    promise(reading.allowlist->downstreams().size() == before.downstreams().size(), "of as many");
    for (const auto& old : before.downstreams()) {
        const auto* const now = reading.allowlist->find(old.repo);
        promise(now != nullptr, "everybody stays in it");
        promise(now->level == (old.repo == entry.repo ? to : old.level), "one level changes");
        auto back = *now;
        back.level = old.level;
        back.line = old.line;
        promise(back == old, "and nothing else");
    }
}

void check_patch(
    const domain::Allowlist& list,
    const domain::Downstream& entry,
    domain::Level to,
    std::string_view text
) {
    const auto patch = wire::patch_level(text, entry.repo, to, kPath);
    if (!patch) {
        const auto code = patch.error().code;
        promise(fuzz::is_inert(patch.error().detail), "what people are told is inert");
        promise((code == Errc::conflict) == (entry.level == to), "a level is not given twice");
        promise(code == Errc::conflict || code == Errc::invalid, "or a person has to look");
        return;
    }
    promise(entry.level != to, "what is proposed is a change");
    check_moved(list, entry, to, patch->text);
    promise(test::applied(text, patch->diff) == patch->text, "the diff leads to it");
    promise(
        std::ranges::includes(comments_in(patch->text), comments_in(text)), "no comment is lost"
    );
    promise(
        wire::patch_level(patch->text, entry.repo, to, kPath).error().code == Errc::conflict,
        "it is not proposed again"
    );
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = fuzz::text_of(data, size);
    static const auto stranger = RepoName::parse("no-one/has.this-name").value();
    const auto refused = wire::patch_level(text, stranger, domain::Level::l2, kPath);
    const auto reading = wire::read_allowlist(text);
    if (!reading.allowlist) {
        promise(!refused && refused.error().code == Errc::invalid, "no list is patched");
        promise(fuzz::is_inert(refused.error().detail), "what people are told is inert");
        return 0;
    }
    const auto& entries = reading.allowlist->downstreams();
    if (entries.empty() || reading.allowlist->find(stranger) != nullptr) {
        return 0;
    }
    promise(!refused && refused.error().code == Errc::not_found, "who is not listed is not moved");
    const auto& entry = entries.at(size % entries.size());
    for (const auto level : domain::kLevels) {
        check_patch(*reading.allowlist, entry, level, text);
    }
    return 0;
}
