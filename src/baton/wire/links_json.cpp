#include "baton/wire/links_json.hpp"

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/quality/link_notes.hpp"
#include "baton/wire/json_fields.hpp"
#include "baton/wire/json_text.hpp"
#include "baton/wire/strict_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::wire {

namespace {

constexpr const char* kSchema = "cpq-links/1";

std::string text_of(const std::string& url, const quality::LinkNote& note) {
    return fmt::format(
        R"(
    {{"url": {}, "checked": "{}", "open": {}, "login": {}, "closed_since": {}, "detail": {}, "text": {}}})",
        json_quoted(url),
        to_rfc3339(note.checked),
        note.open,
        note.login,
        note.closed_since ? json_quoted(to_rfc3339(*note.closed_since)) : "null",
        json_quoted(note.detail),
        json_quoted(note.text)
    );
}

Result<TimePoint> time_of(std::string_view text, const char* pointer) {
    const auto when = parse_rfc3339(text);
    if (!when) {
        return fields::expected(pointer, "a time");
    }
    return *when;
}

Result<std::pair<std::string, quality::LinkNote>> read_one(simdjson::dom::element element) {
    simdjson::dom::object link;
    if (element.get(link) != simdjson::SUCCESS) {
        return fields::expected("/links", "a list of objects");
    }
    BATON_TRY(const auto url, fields::text_at(link, "/url"));
    BATON_TRY(const auto checked, fields::text_at(link, "/checked"));
    BATON_TRY(const auto closed, fields::text_if(link, "/closed_since"));
    BATON_TRY(const auto detail, fields::text_at(link, "/detail"));
    BATON_TRY(const auto text, fields::text_at(link, "/text"));
    quality::LinkNote note{.detail = std::string(detail), .text = std::string(text)};
    BATON_TRY(note.checked, time_of(checked, "/checked"));
    BATON_TRY(note.open, fields::flag_if(link, "/open"));
    BATON_TRY(note.login, fields::flag_if(link, "/login"));
    if (closed) {
        BATON_TRY(note.closed_since, time_of(*closed, "/closed_since"));
    }
    return std::pair(std::string(url), std::move(note));
}

} // namespace

std::string links_json(const quality::LinkNotes& notes) {
    std::vector<std::string> lines;
    for (const auto& [url, note] : notes) {
        lines.push_back(text_of(url, note));
    }
    return fmt::format(
        R"({{
  "schema": "{}",
  "links": [{}]
}}
)",
        kSchema,
        fmt::join(lines, ",")
    );
}

Result<quality::LinkNotes> read_links(std::string_view json) {
    simdjson::dom::parser parser;
    BATON_TRY(const auto root, strict_object(parser, json));
    BATON_TRY(const auto schema, fields::text_at(root, "/schema"));
    if (schema != kSchema) {
        return fields::expected("/schema", kSchema);
    }
    BATON_TRY(const auto links, fields::array_if(root, "/links"));
    if (!links) {
        return fields::expected("/links", "a list of objects");
    }
    quality::LinkNotes notes;
    for (const auto element : *links) {
        BATON_TRY(auto link, read_one(element));
        notes.insert_or_assign(std::move(link.first), std::move(link.second));
    }
    return notes;
}

} // namespace baton::wire
