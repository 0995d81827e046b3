#pragma once

#include "baton/base/result.hpp"

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string_view>

/// Reads one member of a JSON object, named by the JSON pointer under which people find it: the
/// last part of `pointer` is the key, the whole of it stands in the error. A member that is null
/// counts as missing.
namespace baton::wire::fields {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

/// "POINTER: expected WHAT"
tl::unexpected<Error> expected(std::string_view pointer, std::string_view what);

std::optional<element> member(object in, std::string_view pointer);

Result<object> object_at(object in, std::string_view pointer);
Result<std::string_view> text_at(object in, std::string_view pointer);
Result<std::int64_t> positive_at(object in, std::string_view pointer); // 1 to 2^53

/// nullopt when missing; another kind is an error all the same.
Result<std::optional<object>> object_if(object in, std::string_view pointer);
Result<std::optional<array>> array_if(object in, std::string_view pointer);
Result<std::optional<std::string_view>> text_if(object in, std::string_view pointer);
Result<std::optional<std::uint64_t>> count_if(object in, std::string_view pointer);
Result<bool> flag_if(object in, std::string_view pointer); // false when missing

} // namespace baton::wire::fields
