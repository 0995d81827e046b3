#pragma once

#include "baton/base/result.hpp"
#include "baton/domain/identity.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/text_source.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <memory>
#include <mutex>
#include <string>

namespace baton::oidc {

/// Keeps the list of Buildkite pipelines up to date. Whatever goes wrong, the last good version
/// stays in force. `in_force` may be called from any thread, the rest lives on the relay's
/// executor.
class PipelinesKeeper {
public:
    static constexpr std::chrono::seconds kLook{1}; // a look at a file's time costs nothing

    struct Surroundings {
        ports::TextSource& source;
        ports::Clock& clock;
        ports::Journal& journal;
    };

    explicit PipelinesKeeper(Surroundings around)
        : around_(around) {}

    /// unavailable, with the reason: no version was ever good.
    Result<std::shared_ptr<const domain::Pipelines>> in_force() const;

    /// Looks for ever, until cancelled.
    boost::asio::awaitable<void> run();
    /// One look at the source.
    boost::asio::awaitable<void> refresh();

private:
    void take(const ports::TextVersion& fresh);
    void refuse(std::string why);

    Surroundings around_;
    std::string mark_;        // of the text last judged, good or bad
    std::string told_;        // the refusal that the journal heard last
    bool unreachable_{false}; // the last look failed

    mutable std::mutex mutex_; // below
    std::shared_ptr<const domain::Pipelines> pipelines_;
    std::string trouble_{"not read yet"};
};

} // namespace baton::oidc
