#pragma once

#include "baton/base/time.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace baton::domain {

/// One attempt of one job that told of tests or of its end, as far as flakes go.
struct ToldAttempt {
    std::string commit;
    std::string workflow;
    std::string job;
    std::string device;
    TimePoint ended_at{};
    bool passed{false};
    bool trunk{false};                 // for no pull request
    std::int64_t tests{0};             // that ran: passed and failed
    std::vector<std::string> failed{}; // as many as were kept

    friend bool operator==(const ToldAttempt&, const ToldAttempt&) = default;
};

} // namespace baton::domain
