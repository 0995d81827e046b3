#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>
#include <vector>

namespace baton::program {

/// A downstream as one upstream's list in force names it.
struct Listed {
    RepoName upstream;
    domain::Downstream entry;
};

/// Finds in a store what people name on the command line.
class Lookup {
public:
    explicit Lookup(ports::Store& store)
        : store_(store) {}

    /// By X-GitHub-Delivery, or by its number in `deliveries list`. `not_found` says both.
    boost::asio::awaitable<Result<ports::DeliveryHistory>> delivery(std::string name);

    /// Every downstream of every list in force, upstream by upstream in list order.
    boost::asio::awaitable<Result<std::vector<Listed>>> listed();

    /// Histories of all deliveries of a query, oldest first, page after page; at most `limit`
    /// newest ones.
    boost::asio::awaitable<Result<std::vector<ports::DeliveryHistory>>>
    histories(ports::DeliveryPageQuery query, std::size_t limit);

private:
    ports::Store& store_;
};

} // namespace baton::program
