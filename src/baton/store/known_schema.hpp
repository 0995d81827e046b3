#pragma once

#include <string>

namespace baton::store {

/// The last step of the schema that this Baton knows, of a store at `place`. One that has more
/// steps is a newer Baton's, whether this one may go on beside them or not.
int known_schema(const std::string& place);

} // namespace baton::store
