#pragma once

#include "baton/domain/letter.hpp"
#include "baton/ports/results.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <string>

namespace baton::ports {

/// How long one letter may take.
inline constexpr std::chrono::seconds kSinkWait{10};

/// Somebody who is told of results. Used from the relay's own executor only.
class Sink {
public:
    Sink() = default;
    Sink(const Sink&) = delete;
    Sink& operator=(const Sink&) = delete;
    virtual ~Sink() = default;

    /// What its letters are addressed to.
    virtual const std::string& name() const = 0;

    /// Ends within `kSinkWait`. Never fails as a call: silence is an answer too.
    virtual boost::asio::awaitable<domain::SinkAnswer> deliver(TakenLetter letter) = 0;
};

} // namespace baton::ports
