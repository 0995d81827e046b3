#include "baton/relay/allowlist_keeper.hpp"

#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/event.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/store.hpp"
#include "baton/ports/text_source.hpp"
#include "baton/wire/allowlist.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace baton::relay {

namespace asio = boost::asio;

AllowlistKeeper::AllowlistKeeper(Settings settings, Surroundings around)
    : settings_(std::move(settings))
    , around_(std::move(around))
    , bell_(around_.clock.make_bell()) {}

asio::awaitable<Result<void>> AllowlistKeeper::recall() {
    BATON_CO_TRY(const auto last, co_await around_.store.last_allowlist(settings_.upstream));
    if (!last) {
        around_.book.report_trouble(settings_.upstream, "not read yet", around_.clock.now());
        co_return Result<void>{};
    }
    auto reading = wire::read_allowlist(last->text);
    if (!reading.allowlist) {
        refuse("the version that was in force before cannot be read any more");
        co_return Result<void>{};
    }
    // The mark is not recalled: the source may have changed while nobody looked.
    in_force_ = last->text;
    confirm(*std::move(reading.allowlist));
    co_return Result<void>{};
}

asio::awaitable<void> AllowlistKeeper::run() {
    for (;;) {
        co_await refresh();
        co_await bell_->wait_until(around_.clock.now() + settings_.refresh);
    }
}

asio::awaitable<void> AllowlistKeeper::refresh() {
    auto fetched = co_await around_.source.fetch(mark_);
    if (!fetched) {
        unreachable_ = true;
        refuse(fetched.error().detail);
        co_return;
    }
    if (*fetched) {
        unreachable_ = false;
        auto fresh = **std::move(fetched);
        co_await take(std::move(fresh));
    } else if (std::exchange(unreachable_, false)) {
        mark_.clear(); // the source is back: its text is judged again, which sets every light right
        bell_->ring();
    }
}

asio::awaitable<void> AllowlistKeeper::take(ports::TextVersion fresh) {
    if (fresh.text.size() > limits::kAllowlistBytesMax) {
        mark_ = fresh.mark;
        refuse(fmt::format("larger than {} bytes", limits::kAllowlistBytesMax));
        co_return;
    }
    auto reading = wire::read_allowlist(fresh.text);
    if (!reading.allowlist) {
        mark_ = fresh.mark;
        const auto first = std::ranges::find(
            reading.findings, domain::Severity::error, &domain::Finding::severity
        );
        refuse(
            first == reading.findings.end() ? "unreadable"
                                            : domain::to_text(*first, around_.source.describe())
        );
        co_return;
    }
    const auto current = around_.book.find(settings_.upstream);
    if (reading.is_empty_document && current && !current->empty()) {
        mark_ = fresh.mark;
        refuse("the file is empty; write {} to list nobody on purpose");
        co_return;
    }
    if (!current || fresh.text != in_force_) {
        ports::AllowlistVersion version{
            .upstream = settings_.upstream,
            .source = around_.source.describe(),
            .mark = fresh.mark,
            .text = fresh.text,
            .in_force_at = around_.clock.now(),
        };
        const auto recorded = co_await around_.store.record_allowlist(std::move(version));
        if (!recorded && recorded.error().code == Errc::cancelled) {
            co_return; // we are stopping: that says nothing about the list
        }
        if (!recorded) {
            refuse(fmt::format("cannot be recorded: {}", recorded.error().detail));
            co_return; // the mark stays: the same text is fetched and tried again
        }
    }
    mark_ = fresh.mark;
    in_force_ = std::move(fresh.text);
    confirm(*std::move(reading.allowlist));
    around_.on_change();
    if (current) {
        co_await part_with(current);
    }
}

/// What was planned for a downstream that left the list comes to rest now, not when it would be
/// due.
asio::awaitable<void> AllowlistKeeper::part_with(std::shared_ptr<const domain::Allowlist> former) {
    const auto current = around_.book.find(settings_.upstream);
    for (const auto& downstream : former->downstreams()) {
        if (current->find(downstream.repo) != nullptr) {
            continue;
        }
        const auto cancelled = co_await around_.store.cancel_pending(
            settings_.upstream, downstream.repo, "no longer listed", around_.clock.now()
        );
        if (!cancelled) { // the dispatcher looks at the list again before it sends
            around_.journal.note(ports::Trouble{
                .healed = true, .where = "allowlist", .detail = cancelled.error().detail
            });
        }
    }
}

void AllowlistKeeper::confirm(domain::Allowlist allowlist) {
    told_.clear();
    around_.journal.note(ports::AllowlistInForce{
        .upstream = settings_.upstream,
        .source = around_.source.describe(),
        .downstreams = allowlist.downstreams().size(),
    });
    around_.book.put(settings_.upstream, std::move(allowlist));
}

void AllowlistKeeper::refuse(std::string why) {
    if (why != told_) { // a file that stays away is looked for every second, and told of once
        around_.journal.note(ports::AllowlistRefused{
            .upstream = settings_.upstream, .source = around_.source.describe(), .detail = why
        });
        told_ = why;
    }
    around_.book.report_trouble(settings_.upstream, std::move(why), around_.clock.now());
}

void AllowlistKeeper::notice(const domain::Event& event) {
    if (settings_.watched && domain::may_change(event, *settings_.watched)) {
        bell_->ring();
    }
}

} // namespace baton::relay
