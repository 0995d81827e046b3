#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/notification.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/notices.hpp"
#include "baton/store/sql/connection.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Notifications as rows.
namespace baton::store::sql {

/// Writes it, gives it an id, and a letter to every receiver.
void notify(Connection& db, domain::Notification notification);

/// What one is about; none: the connection failed, for the schema holds on to it.
std::optional<domain::Pairing> pairing_of(Connection& db, std::int64_t notification);

std::optional<ports::Concern>
concern_of(Connection& db, const RepoName& upstream, const RepoName& downstream);

/// When the newest incident of this pairing began, as its notifications say.
std::optional<TimePoint>
incident_began(Connection& db, const RepoName& upstream, const RepoName& downstream);

namespace verbs {

std::size_t name_receivers(Connection& db, const std::vector<std::string>& sinks, TimePoint now);
Result<void> note_concern(Connection& db, const ports::Concern& concern);

} // namespace verbs

} // namespace baton::store::sql
