#include "baton/wire/json_fields.hpp"

#include "baton/base/result.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace baton::wire::fields {

namespace {

constexpr std::int64_t kExactMax = std::int64_t{1} << 53; // what JSON readers everywhere keep exact

/// A member as `T`; nullopt when it is missing.
template <class T>
Result<std::optional<T>> member_as(object in, std::string_view pointer, std::string_view what) {
    const auto found = member(in, pointer);
    if (!found) {
        return std::optional<T>{};
    }
    T value{};
    if (found->get(value) != simdjson::SUCCESS) {
        return expected(pointer, what);
    }
    return std::optional<T>{value};
}

} // namespace

tl::unexpected<Error> expected(std::string_view pointer, std::string_view what) {
    return fail(Errc::invalid, fmt::format("{}: expected {}", pointer, what));
}

std::optional<element> member(object in, std::string_view pointer) {
    element found;
    const auto key = pointer.substr(pointer.rfind('/') + 1);
    if (in.at_key(key).get(found) != simdjson::SUCCESS || found.is_null()) {
        return std::nullopt;
    }
    return found;
}

Result<std::optional<object>> object_if(object in, std::string_view pointer) {
    return member_as<object>(in, pointer, "an object");
}

Result<std::optional<array>> array_if(object in, std::string_view pointer) {
    return member_as<array>(in, pointer, "a list");
}

Result<std::optional<std::string_view>> text_if(object in, std::string_view pointer) {
    return member_as<std::string_view>(in, pointer, "text");
}

Result<std::optional<std::uint64_t>> count_if(object in, std::string_view pointer) {
    return member_as<std::uint64_t>(in, pointer, "a number of 0 or more");
}

Result<bool> flag_if(object in, std::string_view pointer) {
    BATON_TRY(const auto flag, member_as<bool>(in, pointer, "true or false"));
    return flag.value_or(false);
}

Result<object> object_at(object in, std::string_view pointer) {
    BATON_TRY(const auto found, object_if(in, pointer));
    if (!found) {
        return expected(pointer, "an object");
    }
    return *found;
}

Result<std::string_view> text_at(object in, std::string_view pointer) {
    BATON_TRY(const auto found, text_if(in, pointer));
    if (!found) {
        return expected(pointer, "text");
    }
    return *found;
}

Result<std::int64_t> positive_at(object in, std::string_view pointer) {
    constexpr std::string_view kWhat = "a whole number from 1";
    BATON_TRY(const auto found, member_as<std::int64_t>(in, pointer, kWhat));
    if (!found || *found < 1 || *found > kExactMax) {
        return expected(pointer, kWhat);
    }
    return *found;
}

} // namespace baton::wire::fields
