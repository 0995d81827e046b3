#include <cstdio>
#include <cstdlib>

#include "fuzz/fuzz.hpp"

namespace baton::fuzz {

void broken(const char* promise) {
    static_cast<void>(std::fprintf(stderr, "broken promise: %s\n", promise));
    std::abort();
}

} // namespace baton::fuzz
