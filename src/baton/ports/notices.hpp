#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/level.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace baton::ports {

/// Whom a downstream's turns at the gate of an upstream concern.
struct Concern {
    RepoName upstream;
    RepoName downstream;
    domain::Level level{domain::Level::l4};
    std::vector<Login> oncalls;

    friend bool operator==(const Concern&, const Concern&) = default;
};

/// The part of a store that knows who is told when a downstream stops counting in the gate, and
/// when it counts again. The notification itself is written by `Store::suspend_gate` and
/// `resume_gate`, in their own transaction, whoever calls them: one when a suspension begins,
/// however often it is replaced, and one when it ends, each with a letter to every receiver.
class Notices {
public:
    Notices() = default;
    Notices(const Notices&) = delete;
    Notices& operator=(const Notices&) = delete;
    virtual ~Notices() = default;

    /// The sinks that are told from now on. What waits for one that is not among them any more is
    /// given up; how many letters.
    virtual boost::asio::awaitable<Result<std::size_t>>
    name_receivers(std::vector<std::string> sinks, TimePoint now) = 0;

    /// Who is on call, for the notifications that are written from now on.
    virtual boost::asio::awaitable<Result<void>> note_concern(Concern concern) = 0;
};

} // namespace baton::ports
