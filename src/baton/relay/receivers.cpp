#include "baton/relay/receivers.hpp"

#include "baton/base/result.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/notices.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace baton::relay {

namespace asio = boost::asio;

std::vector<std::string> names_of(const Sinks& sinks) {
    std::vector<std::string> names;
    for (const auto& sink : sinks) {
        names.push_back(sink->name());
    }
    return names;
}

asio::awaitable<Result<void>> name_receivers(
    ports::Notices* notices, Sinks receivers, ports::Clock& clock, ports::Journal& journal
) {
    if (notices == nullptr) {
        co_return Result<void>{};
    }
    auto names = names_of(receivers);
    BATON_CO_TRY(
        const auto given_up, co_await notices->name_receivers(std::move(names), clock.now())
    );
    if (given_up > 0) {
        journal.note(ports::LifeTurn{
            .what = "receivers",
            .detail = fmt::format(
                "{} notifications waited for receivers that are not configured any more: given up",
                given_up
            ),
        });
    }
    co_return Result<void>{};
}

} // namespace baton::relay
