#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/config/config.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/recovery.hpp"

#include <optional>
#include <string>
#include <vector>

namespace baton::app {

struct RecoverPlan {
    std::optional<TimePoint> since; // nullopt: from where the last walk ended
    bool ask{true};                 // false: only look
};

struct Recovered {
    relay::Recovery::Report report;
    std::vector<std::string> troubles; // what could not be asked for, and why
};

/// One walk through GitHub's delivery log, as the relay makes it, beside a running relay or without
/// one. What is asked for comes to wherever GitHub sends webhooks.
Result<Recovered>
recover(const config::Config& config, ports::Store& store, const RecoverPlan& plan);

} // namespace baton::app
