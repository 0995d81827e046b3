#pragma once

#include "baton/base/limits.hpp"
#include "baton/domain/quota.hpp"
#include "baton/ports/quota_exchange.hpp"

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace baton::store::postgres {

/// What replicas tell each other of GitHub's limits, as notes that the database hands on and keeps
/// nowhere. Here they are written and read; Presence sends and receives them. From any thread.
class QuotaTalk final : public ports::QuotaExchange {
public:
    using Clock = std::chrono::steady_clock;

    static constexpr std::size_t kNoteBytesMax = 7'900; // PostgreSQL takes fewer than 8,000
    static constexpr std::chrono::seconds kFresh{5}; // who says nothing for longer counts no more
    static constexpr std::size_t kAccountsMax = 2 * limits::kDownstreamsMax; // of one replica

    void tell(const std::vector<domain::QuotaView>& mine) override;
    domain::OthersQuotas heard() override;

    /// What is to be sent now; each is given once. At least one after each `tell`, as a sign that
    /// somebody shares.
    std::vector<std::string> take();

    /// A note of the replica with this number. Lines that nobody can read are left out, and so are
    /// names that no account has, and new ones beyond kAccountsMax.
    void receive(int replica, std::string_view note, Clock::time_point now = Clock::now());

private:
    struct Heard {
        Clock::time_point at;
        std::map<std::string, domain::QuotaView> quotas; // by account
    };

    std::mutex mutex_;
    std::vector<std::string> to_send_;
    std::map<int, Heard> heard_;
};

} // namespace baton::store::postgres
