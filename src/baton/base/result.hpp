#pragma once

#include <tl/expected.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace baton {

/// What the caller will do differently. Starts at 1 because a zero error code means success
/// elsewhere.
enum class Errc {
    not_found = 1,   // there is no such thing; asking again will not help
    conflict,        // somebody else changed it first, or it contradicts what is known: look again
    invalid,         // the input is wrong; tell whoever sent it
    unauthenticated, // we do not know who is asking
    forbidden,       // we know, and they may not
    throttled,       // allowed, but not now
    unavailable,     // the other side cannot answer now; try later
    timed_out,       // no answer in time
    cancelled,       // we are stopping
};

std::string_view name_of(Errc code);

/// A failure we expected. `detail` is for people: what failed, with which ids, what to do.
struct Error {
    Errc code{Errc::invalid};
    std::string detail;
};

/// A value or an Error. The standard's vocabulary (std::expected is C++23); a dropped one is a
/// warning.
template <class T> class [[nodiscard]] Result : public tl::expected<T, Error> {
public:
    using tl::expected<T, Error>::expected;
};

inline tl::unexpected<Error> fail(Errc code, std::string detail) {
    return tl::unexpected<Error>(Error{.code = code, .detail = std::move(detail)});
}

inline tl::unexpected<Error> fail(Error error) {
    return tl::unexpected<Error>(std::move(error));
}

} // namespace baton

#define BATON_CONCAT_INNER(a, b) a##b
#define BATON_CONCAT(a, b) BATON_CONCAT_INNER(a, b)
#define BATON_TRY_WITH(leave, slot, declaration, ...)                                              \
    auto slot = (__VA_ARGS__);                                                                     \
    if (!slot) {                                                                                   \
        leave ::baton::fail(std::move(slot).error());                                              \
    }                                                                                              \
    declaration = *std::move(slot)

/// BATON_TRY(const auto event, parse(bytes)); hands a failure up, names the value otherwise.
#define BATON_TRY(declaration, ...)                                                                \
    BATON_TRY_WITH(return, BATON_CONCAT(baton_try_, __COUNTER__), declaration, __VA_ARGS__)
/// BATON_CO_CHECK(co_await store.end_walk(now)); the same for a Result without a value.
#define BATON_CO_CHECK(...)                                                                        \
    if (auto baton_checked = (__VA_ARGS__); !baton_checked) {                                      \
        co_return ::baton::fail(std::move(baton_checked).error());                                 \
    }                                                                                              \
    static_assert(true)
/// BATON_TRY inside a coroutine. The expression may itself be a co_await.
#define BATON_CO_TRY(declaration, ...)                                                             \
    BATON_TRY_WITH(co_return, BATON_CONCAT(baton_try_, __COUNTER__), declaration, __VA_ARGS__)
