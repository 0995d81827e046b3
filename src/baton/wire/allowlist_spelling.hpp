#pragma once

#include "baton/domain/allowlist.hpp"

#include <cstdint>
#include <string>
#include <string_view>

/// Entries as people write them, on one line.
namespace baton::wire {

enum class Listed : std::uint8_t { by_itself = 1, under_device };

/// Without a dash; under a device the device goes without saying, and there is always a colon.
std::string spelled_entry(const domain::Downstream& entry, Listed where);

/// Quoted unless every reader of YAML takes it for a text. It must need no escape.
std::string spelled_word(std::string_view word);

} // namespace baton::wire
