#include "baton/app/system_chance.hpp"

#include "baton/base/assert.hpp"
#include "baton/base/draw.hpp"
#include "baton/base/ids.hpp"
#include "baton/crypto/random.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>

namespace baton::app {

Draw SystemChance::draw() {
    std::uint64_t bits = 0;
    const auto bytes = crypto::random_bytes(sizeof bits);
    BATON_ASSERT(bytes.has_value()
    ); // secrets are made from this: without randomness nothing may go on
    std::memcpy(&bits, bytes->data(), sizeof bits);
    return Draw{.bits = bits};
}

InstanceId new_instance(ports::Chance& chance) {
    return InstanceId(fmt::format("{:016x}", chance.draw().bits));
}

} // namespace baton::app
