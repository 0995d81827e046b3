#pragma once

#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"

#include <simdjson.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace baton::wire {

struct JsonBytes {
    std::string_view text;
    bool padded{false}; // SIMDJSON_PADDING bytes may be read behind the end

    explicit JsonBytes(std::string_view bytes)
        : text(bytes) {}

    explicit JsonBytes(const std::string& bytes)
        : text(bytes)
        , padded(bytes.capacity() - bytes.size() >= simdjson::SIMDJSON_PADDING) {}
};

namespace json_document {

inline constexpr std::size_t kParserBytesKept =
    std::size_t{1024} * 1024; // a larger parser is not kept for the thread

inline Result<void> prepare(simdjson::dom::parser& parser, std::size_t bytes) {
    if (parser.allocate(bytes, limits::kJsonDepthMax) != simdjson::SUCCESS) {
        return fail(Errc::unavailable, "no memory to parse the body");
    }
    return {};
}

inline Result<simdjson::dom::object> root_of(simdjson::dom::parser& parser, JsonBytes bytes) {
    simdjson::dom::element document;
    const auto error =
        parser.parse(bytes.text.data(), bytes.text.size(), !bytes.padded).get(document);
    if (error != simdjson::SUCCESS) {
        return fail(Errc::invalid, "Invalid JSON body");
    }
    simdjson::dom::object root;
    if (document.get(root) != simdjson::SUCCESS) {
        return fail(Errc::invalid, "Body is not a JSON object");
    }
    return root;
}

/// One for each thread, made on first use; nothing of a document outlives the next one.
inline simdjson::dom::parser& parser_of_thread() {
    thread_local simdjson::dom::parser parser;
    return parser;
}

} // namespace json_document

/// Parses a JSON object of at most limits::kJsonDepthMax levels and hands its root to `read`; what
/// that returns holds nothing of the document. `invalid` when it is no JSON object.
template <class Read>
auto read_json_object(JsonBytes bytes, Read read) -> decltype(read(simdjson::dom::object{})) {
    const auto read_with = [&](simdjson::dom::parser& parser
                           ) -> decltype(read(simdjson::dom::object{})) {
        BATON_TRY(const auto root, json_document::root_of(parser, bytes));
        return read(root);
    };
    if (bytes.text.size() > json_document::kParserBytesKept) {
        simdjson::dom::parser parser; // a rare giant must not cost memory for ever
        if (auto ready = json_document::prepare(parser, bytes.text.size()); !ready) {
            return fail(std::move(ready).error());
        }
        return read_with(parser);
    }
    auto& parser = json_document::parser_of_thread();
    if (parser.max_depth() != limits::kJsonDepthMax) {
        if (auto ready = json_document::prepare(parser, json_document::kParserBytesKept); !ready) {
            return fail(std::move(ready).error());
        }
    }
    return read_with(parser);
}

} // namespace baton::wire
