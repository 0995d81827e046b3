#include "baton/base/ids.hpp"
#include "baton/domain/attribution.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/job_rows.hpp"
#include "baton/store/sql/levels.hpp"
#include "baton/store/sql/verbs.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace baton::store::sql::levels {

namespace {

std::string_view word_of(domain::Triage::Category category) {
    using Category = domain::Triage::Category;
    switch (category) {
    case Category::upstream:
        return "upstream";
    case Category::backend:
        return "backend";
    case Category::infra:
        return "infra";
    case Category::flake:
        return "flake";
    case Category::unknown:
        break;
    }
    return "unknown";
}

} // namespace

std::string own_verdict_of(Connection& db, JobId job) {
    const auto detail = verbs::report_detail(db, job);
    const auto told = detail ? triage_from(detail->triage_verdict) : std::nullopt;
    return told ? std::string(word_of(told->category)) : std::string();
}

} // namespace baton::store::sql::levels
