#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace baton::ports {

/// A verified webhook on its way to disk.
struct NewDelivery {
    DeliveryId id;
    std::string event; // X-GitHub-Event
    std::string action;
    std::string repository; // as the body names it; empty for installation events
    std::optional<PrNumber> pr;
    HeadSha head;
    TimePoint received_at{};
    std::string body; // raw bytes
};

/// Where a delivery stands: accepted and waiting to be planned, or planned.
enum class DeliveryState : std::uint8_t { to_plan = 1, planned };

struct Delivery {
    std::int64_t sequence{0}; // order of arrival
    DeliveryId id;
    std::string event;
    std::string action;
    std::string repository;
    std::optional<PrNumber> pr;
    HeadSha head;
    TimePoint received_at{};
    DeliveryState state{DeliveryState::to_plan};
    std::size_t body_bytes{0};
};

struct DeliveryToPlan {
    Delivery delivery;
    std::string body;
};

} // namespace baton::ports
