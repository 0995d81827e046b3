#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/checks.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"
#include "baton/ports/checks.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/awaitable.hpp>

#include <memory>
#include <vector>

namespace baton::relay {

/// Reads everything that bears on the checks of one subject. Several reads, not one transaction:
/// whatever changes meanwhile raises the look's version, and the subject is looked at again.
class CheckReader {
public:
    explicit CheckReader(ports::Store& store)
        : store_(store) {}

    boost::asio::awaitable<Result<domain::CheckFacts>>
    read(ports::Look look, std::shared_ptr<const domain::Allowlist> allowlist);

private:
    boost::asio::awaitable<Result<void>>
    read_history(domain::DownstreamFacts& facts, domain::Subject subject);
    boost::asio::awaitable<Result<std::vector<domain::Rerun>>> read_reruns(domain::Subject subject);
    boost::asio::awaitable<Result<bool>> awaits_plan(const domain::CheckFacts& facts);
    boost::asio::awaitable<Result<void>> read_details(domain::CheckFacts& facts);

    ports::Store& store_;
};

} // namespace baton::relay
