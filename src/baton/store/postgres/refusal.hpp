#pragma once

#include "baton/base/result.hpp"

#include <string>

namespace baton::store::postgres {

/// Why there is no session, in one sentence that says what to do; `words` are the server's or
/// libpq's, which have no code for it. Words that nobody knows (of another language, say) are told
/// as they are.
Error refusal_of(const std::string& words);

} // namespace baton::store::postgres
