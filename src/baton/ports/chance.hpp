#pragma once

#include "baton/base/draw.hpp"

namespace baton::ports {

/// The only source of chance: the operating system's in app, a seeded one in sim. Any thread.
class Chance {
public:
    Chance() = default;
    Chance(const Chance&) = delete;
    Chance& operator=(const Chance&) = delete;
    virtual ~Chance() = default;

    virtual Draw draw() = 0;
};

} // namespace baton::ports
