#include "baton/oidc/pipelines_keeper.hpp"

#include "baton/base/result.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/identity.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/text_source.hpp"
#include "baton/wire/pipelines.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace baton::oidc {

namespace asio = boost::asio;

Result<std::shared_ptr<const domain::Pipelines>> PipelinesKeeper::in_force() const {
    const std::scoped_lock lock(mutex_);
    if (!pipelines_) {
        return fail(
            Errc::unavailable, fmt::format("the list of pipelines cannot be had: {}", trouble_)
        );
    }
    return pipelines_;
}

asio::awaitable<void> PipelinesKeeper::run() {
    for (;;) {
        std::string surprise;
        try {
            co_await refresh();
        } catch (const boost::system::system_error& error) {
            if (error.code() == asio::error::operation_aborted) {
                throw; // we are stopping
            }
            surprise = error.what();
        } catch (const std::exception& error) {
            surprise = error.what();
        }
        if (!surprise.empty()) {
            refuse(std::move(surprise));
        }
        co_await around_.clock.sleep_until(around_.clock.now() + kLook);
    }
}

asio::awaitable<void> PipelinesKeeper::refresh() {
    auto fetched = co_await around_.source.fetch(mark_);
    if (!fetched) {
        unreachable_ = true;
        refuse(fetched.error().detail);
        co_return;
    }
    if (*fetched) {
        unreachable_ = false;
        take(**fetched);
    } else if (std::exchange(unreachable_, false)) {
        mark_.clear(); // the file is back: its text is judged again with the next look
    }
}

void PipelinesKeeper::take(const ports::TextVersion& fresh) {
    mark_ = fresh.mark;
    auto reading = wire::read_pipelines(fresh.text);
    if (!reading.pipelines) {
        const auto first = std::ranges::find(
            reading.findings, domain::Severity::error, &domain::Finding::severity
        );
        refuse(
            first == reading.findings.end() ? "unreadable"
                                            : domain::to_text(*first, around_.source.describe())
        );
        return;
    }
    told_.clear();
    const auto size = reading.pipelines->size();
    {
        const std::scoped_lock lock(mutex_);
        pipelines_ = std::make_shared<const domain::Pipelines>(*std::move(reading.pipelines));
        trouble_.clear();
    }
    around_.journal.note(ports::LifeTurn{
        .what = "pipelines",
        .detail = fmt::format("{}: {} registered", around_.source.describe(), size),
    });
}

void PipelinesKeeper::refuse(std::string why) {
    if (why != told_) {
        around_.journal.note(ports::Trouble{
            .healed = false,
            .where = "pipelines",
            .detail = fmt::format("{}; the last good version stays in force", why),
        });
        told_ = why;
    }
    const std::scoped_lock lock(mutex_);
    trouble_ = std::move(why);
}

} // namespace baton::oidc
