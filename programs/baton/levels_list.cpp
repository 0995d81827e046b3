#include "levels_list.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/store.hpp"
#include "baton/wire/allowlist.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/core.h>

#include <optional>
#include <utility>
#include <vector>

namespace baton::program {

namespace asio = boost::asio;

asio::awaitable<Result<ListInForce>>
list_in_force(ports::Store* store, std::optional<RepoName> upstream) {
    BATON_CO_TRY(const auto versions, co_await store->allowlists_at(TimePoint::max()));
    std::vector<ListInForce> found;
    for (const auto& version : versions) {
        auto reading = wire::read_allowlist(version.text);
        if (reading.allowlist && (!upstream || version.upstream == *upstream)) {
            found.push_back(
                {.upstream = version.upstream, .allowlist = *std::move(reading.allowlist)}
            );
        }
    }
    if (found.empty()) {
        co_return fail(
            Errc::not_found,
            upstream ? fmt::format("no allowlist of {} is in force", upstream->text())
                     : "no allowlist is in force: has a relay read one yet?"
        );
    }
    if (found.size() > 1) {
        co_return fail(
            Errc::invalid,
            fmt::format(
                "there are lists of {} and {}: say which with --upstream",
                found[0].upstream.text(),
                found[1].upstream.text()
            )
        );
    }
    co_return std::move(found.front());
}

} // namespace baton::program
