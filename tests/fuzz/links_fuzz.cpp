// What links show, and what is noted of them: text without markup; notes that are read are written
// the same.

#include "baton/base/result.hpp"
#include "baton/quality/link_notes.hpp"
#include "baton/wire/links_json.hpp"
#include "baton/wire/visible_text.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace baton;
    using fuzz::promise;
    const auto page = fuzz::text_of(data, size);
    const auto text = wire::visible_text("<html>" + std::string(page));
    promise(text.size() <= page.size(), "nothing is added");
    promise(text.find('<') == std::string::npos, "no markup is left");
    promise(text.find("  ") == std::string::npos, "blanks stand alone");
    promise(wire::visible_text("<html>" + text) == text, "what is seen is seen");

    const auto notes = wire::read_links(page);
    if (!notes) {
        promise(notes.error().code == Errc::invalid, "the file is at fault");
        promise(fuzz::is_inert(notes.error().detail), "what people are told is inert");
        return 0;
    }
    const auto written = wire::links_json(*notes);
    const auto again = wire::read_links(written);
    promise(again && wire::links_json(*again) == written, "notes are what they say");
    for (const auto& [url, note] : *notes) {
        promise(!quality::is_dead(note) || !note.open, "what is open is not dead");
    }
    return 0;
}
