#pragma once

#include "baton/base/result.hpp"
#include "baton/wire/key_set.hpp"

#include <boost/asio/awaitable.hpp>

namespace baton::oidc {

/// Where the keys of one issuer come from. Relay's executor.
class KeySource {
public:
    KeySource() = default;
    KeySource(const KeySource&) = delete;
    KeySource& operator=(const KeySource&) = delete;
    virtual ~KeySource() = default;

    /// unavailable, timed_out: it may be there later; invalid: what it says is wrong, and a person
    /// should look.
    virtual boost::asio::awaitable<Result<wire::KeySet>> fetch() = 0;
};

} // namespace baton::oidc
