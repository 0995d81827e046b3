#pragma once

#include "baton/net/http.hpp"

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::api {

/// How the ledger and the audit name whoever acted through the API.
inline constexpr std::string_view kAdminActor = "admin token ";

/// Who may act: whoever shows one of the configured tokens in `Authorization`. Any thread.
class Admins {
public:
    explicit Admins(std::vector<std::string> tokens)
        : tokens_(std::move(tokens)) {}

    /// From now on only these.
    void replace(std::vector<std::string> tokens);

    /// Whose token it is: `kAdminActor` and the beginning of its SHA-256, which names it without
    /// telling it. nullopt: nobody's.
    std::optional<std::string> holder(const net::RequestHead& request) const;
    bool empty() const;

private:
    mutable std::mutex mutex_;
    std::vector<std::string> tokens_; // guarded
};

} // namespace baton::api
