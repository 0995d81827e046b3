#pragma once

#include "baton/net/http.hpp"

#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::api {

/// Who may act: whoever shows one of the configured tokens in `Authorization`. Any thread.
class Admins {
public:
    explicit Admins(std::vector<std::string> tokens)
        : tokens_(std::move(tokens)) {}

    /// From now on only these.
    void replace(std::vector<std::string> tokens);

    /// nullopt: may act. Otherwise the answer, which does not say how close a guess was.
    std::optional<net::Response> refusal(const net::RequestHead& request) const;

private:
    mutable std::mutex mutex_;
    std::vector<std::string> tokens_; // guarded
};

} // namespace baton::api
