#include "baton/wire/strict_json.hpp"

#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"

#include <simdjson.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_set>

namespace baton::wire {

namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kParserBytesMin = 1024; // simdjson wants room even for nothing

/// As deep as the parser let it be.
bool has_doubled_name(dom::element value) {
    dom::array list;
    if (value.get(list) == simdjson::SUCCESS) {
        return std::any_of(list.begin(), list.end(), has_doubled_name);
    }
    dom::object object;
    if (value.get(object) != simdjson::SUCCESS) {
        return false;
    }
    std::unordered_set<std::string_view> names;
    for (const auto member : object) {
        if (!names.insert(member.key).second || has_doubled_name(member.value)) {
            return true;
        }
    }
    return false;
}

} // namespace

Result<dom::object> strict_object(dom::parser& parser, std::string_view json) {
    const auto room = std::max(json.size(), kParserBytesMin);
    if (parser.allocate(room, limits::kJsonDepthMax) != simdjson::SUCCESS) {
        return fail(Errc::unavailable, "no memory to read JSON");
    }
    dom::element document;
    if (parser.parse(json.data(), json.size()).get(document) != simdjson::SUCCESS) {
        return fail(Errc::invalid, "it is not JSON");
    }
    dom::object object;
    if (document.get(object) != simdjson::SUCCESS) {
        return fail(Errc::invalid, "it is not a JSON object");
    }
    if (has_doubled_name(document)) {
        return fail(Errc::invalid, "a name stands twice in it");
    }
    return object;
}

} // namespace baton::wire
