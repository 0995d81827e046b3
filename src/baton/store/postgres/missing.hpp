#pragma once

#include "baton/store/sql/connection.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

namespace baton::store::postgres {

/// Which replicas hold leases and have no session that says that they live. One look may meet a
/// replica that is just coming back, so only who is missing for longer is gone.
class Missing {
public:
    explicit Missing(std::chrono::milliseconds grace)
        : grace_(grace) {}

    /// Within a transaction: from here to its end `is_gone(holder)` is true of those. On the
    /// writer's thread.
    void look(sql::Connection& db);

private:
    std::chrono::milliseconds grace_;
    std::map<std::string, std::int64_t> since_ms_; // by the server's clock
};

} // namespace baton::store::postgres
