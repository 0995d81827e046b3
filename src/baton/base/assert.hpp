#pragma once

namespace baton {

/// Prints the broken promise with its place and ends the process: going on would lose or invent
/// results.
[[noreturn]] void broken_promise(const char* promise, const char* file, int line);

} // namespace baton

/// States what must be true whatever the outside sends; stays on in release. Outside input never
/// trips it.
#define BATON_ASSERT(promise)                                                                      \
    ((promise) ? static_cast<void>(0) : ::baton::broken_promise(#promise, __FILE__, __LINE__))
