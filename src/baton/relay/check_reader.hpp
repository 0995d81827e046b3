#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/checks.hpp"
#include "baton/domain/pull_request.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"
#include "baton/ports/checks.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/awaitable.hpp>

#include <map>
#include <memory>
#include <optional>
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
    boost::asio::awaitable<Result<domain::DownstreamFacts>>
    with_history(domain::DownstreamFacts facts, domain::Subject subject);
    boost::asio::awaitable<Result<std::vector<domain::Rerun>>> read_reruns(domain::Subject subject);
    boost::asio::awaitable<Result<bool>>
    awaits_plan(domain::Subject subject, std::optional<domain::PullRequest> pull_request);
    boost::asio::awaitable<Result<std::map<JobId, domain::ReportDetail>>>
    read_details(std::vector<JobId> failed);

    ports::Store& store_;
};

} // namespace baton::relay
