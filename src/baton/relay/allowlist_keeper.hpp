#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/event.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/store.hpp"
#include "baton/ports/text_source.hpp"
#include "baton/relay/allowlist_book.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace baton::relay {

/// Keeps the allowlist of one upstream up to date. Whatever goes wrong, the last good version stays
/// in force: a text with errors, an empty file over a non-empty list, a source that cannot be
/// reached. Each version is in the ledger before it is in force. Lives on the relay's executor.
class AllowlistKeeper {
public:
    struct Settings {
        RepoName upstream;
        Millis refresh{};
        std::optional<domain::WatchedFile> watched;
    };

    struct Surroundings {
        ports::TextSource& source;
        ports::Store& store;
        ports::Clock& clock;
        ports::Journal& journal;
        AllowlistBook& book;
        std::function<void()> on_change; // wakes whoever waited for a list
    };

    AllowlistKeeper(Settings settings, Surroundings around);

    /// Puts the last good version from the store in force, so that GitHub's absence at start
    /// changes nothing.
    boost::asio::awaitable<Result<void>> recall();
    /// Refreshes for ever, until cancelled.
    boost::asio::awaitable<void> run();
    /// One look at the source.
    boost::asio::awaitable<void> refresh();
    /// Looks again at once when this push touches the file.
    void notice(const domain::Event& event);

private:
    boost::asio::awaitable<void> take(ports::TextVersion fresh);
    boost::asio::awaitable<void> part_with(std::shared_ptr<const domain::Allowlist> former);
    /// Good, whether new or seen before: in force, and told so.
    void confirm(domain::Allowlist allowlist);
    void refuse(std::string why);

    Settings settings_;
    Surroundings around_;
    std::unique_ptr<ports::Bell> bell_;
    std::string told_;        // the refusal that the journal heard last
    bool unreachable_{false}; // the last look failed
    std::string mark_; // of the text last judged, good or bad: judging it again would say the same
    std::string in_force_; // the text itself, so that a new mark on the same text is no new version
};

} // namespace baton::relay
