#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/store/tools.hpp"

#include <string>

namespace baton::store::sqlite {

/// See store/tools.hpp; these are the same verbs for a SQLite file.
Result<BackupReport> back_up(const BackupOrder& order, const Progress& progress);
Result<RestoreReport> restore(const RestoreOrder& order, const Progress& progress);

} // namespace baton::store::sqlite
