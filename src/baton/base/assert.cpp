#include "baton/base/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace baton {

void broken_promise(const char* promise, const char* file, int line) {
    static_cast<void>(
        std::fprintf(stderr, "baton: broken promise at %s:%d: %s\n", file, line, promise)
    );
    std::abort();
}

} // namespace baton
