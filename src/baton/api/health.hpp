#pragma once

#include "baton/net/server.hpp"

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace baton::api {

/// What /readyz knows: each part is ready or says why not. Written by whoever watches a part; any
/// thread.
class Readiness {
public:
    /// An empty `trouble` means ready. Returns what the part said before; nullopt for a new one.
    std::optional<std::string> set(const std::string& part, std::string trouble);
    std::map<std::string, std::string> parts() const;

private:
    mutable std::mutex mutex_;
    std::map<std::string, std::string> parts_;
};

/// `/healthz`: 200 as soon as it is served, for then the store is open and webhooks are taken,
/// whatever GitHub does.
/// `/readyz`: 200 when every part is ready, else 503; both list the parts and name the mode.
/// `/metrics`: Prometheus text.
struct HealthSurroundings {
    const Readiness& readiness;
    std::function<std::string()> metrics;
    std::string mode{"live"}; // or "shadow"; /readyz says it
};

std::vector<net::Route> health_routes(HealthSurroundings around);

} // namespace baton::api
