#include "baton/store/retention.hpp"

#include "baton/base/ids.hpp"

#include <fmt/format.h>

#include <string>

namespace baton::store {

std::string past_retention(const DeliveryId& id) {
    return fmt::format(
        "the payload of delivery {} is past retention and no longer kept (retention.bodies), so it "
        "cannot be sent again",
        id.text()
    );
}

} // namespace baton::store
