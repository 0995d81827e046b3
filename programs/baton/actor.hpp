#pragma once

#include <string>

namespace baton::program {

/// Who acts, for the ledger: the one named with --actor, else the user of this machine.
std::string actor(const std::string& named = "");

} // namespace baton::program
