#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>

namespace baton::program {

/// An upstream and its list in force.
struct ListInForce {
    RepoName upstream;
    domain::Allowlist allowlist;
};

/// The only one, or that of `upstream`; `not_found` and `invalid` say what to do.
boost::asio::awaitable<Result<ListInForce>>
list_in_force(ports::Store* store, std::optional<RepoName> upstream);

} // namespace baton::program
