#pragma once

#include "baton/base/draw.hpp"
#include "baton/base/ids.hpp"
#include "baton/ports/chance.hpp"

namespace baton::app {

/// The operating system's randomness, fit for secrets. Any thread.
class SystemChance final : public ports::Chance {
public:
    Draw draw() override;
};

/// A name for one running relay.
InstanceId new_instance(ports::Chance& chance);

} // namespace baton::app
