#pragma once

#include "baton/domain/quota.hpp"

#include <vector>

namespace baton::ports {

/// What replicas of one relay tell each other about GitHub's limits. From any thread; never waits.
class QuotaExchange {
public:
    QuotaExchange() = default;
    QuotaExchange(const QuotaExchange&) = delete;
    QuotaExchange& operator=(const QuotaExchange&) = delete;
    virtual ~QuotaExchange() = default;

    /// The others hear of it soon; nobody keeps it.
    virtual void tell(const std::vector<domain::QuotaView>& mine) = 0;

    /// What those said last who spoke within the last seconds.
    virtual domain::OthersQuotas heard() = 0;
};

} // namespace baton::ports
