#include "baton/api/atom.hpp"

#include "baton/base/text.hpp"
#include "baton/base/time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace baton::api {

namespace {

std::string xml_text(std::string_view text) {
    std::string safe;
    for (const char c : inert(text)) {
        switch (c) {
        case '&':
            safe += "&amp;";
            break;
        case '<':
            safe += "&lt;";
            break;
        case '>':
            safe += "&gt;";
            break;
        case '"':
            safe += "&quot;";
            break;
        default:
            safe += c;
        }
    }
    return safe;
}

std::string entry_text(const FeedEntry& entry) {
    return fmt::format(
        "<entry><id>{}</id><title>{}</title><updated>{}</updated>"
        "<link rel=\"alternate\" href=\"{}\"/><summary>{}</summary></entry>\n",
        xml_text(entry.id),
        xml_text(entry.title),
        to_rfc3339(entry.updated),
        xml_text(entry.link),
        xml_text(entry.text)
    );
}

} // namespace

std::string atom_of(const Feed& feed) {
    TimePoint updated{}; // of a feed without entries: nothing happened since ever
    std::string entries;
    for (const auto& entry : feed.entries) {
        updated = std::max(updated, entry.updated);
        entries += entry_text(entry);
    }
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
        "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n"
        "<id>{}</id><title>{}</title><updated>{}</updated><author><name>Baton</name></author>\n"
        "<link rel=\"self\" type=\"application/atom+xml\" href=\"{}\"/>"
        "<link rel=\"alternate\" href=\"{}\"/>\n{}</feed>\n",
        xml_text(feed.id),
        xml_text(feed.title),
        to_rfc3339(updated),
        xml_text(feed.self),
        xml_text(feed.link),
        entries
    );
}

std::string tag_uri(std::string_view public_url, std::string_view specific) {
    const auto scheme = public_url.find("://");
    auto host = scheme == std::string_view::npos ? public_url : public_url.substr(scheme + 3);
    host = host.substr(0, host.find_first_of(":/"));
    return fmt::format("tag:{},2026:{}", host.empty() ? "localhost" : host, specific);
}

} // namespace baton::api
