#pragma once

#include "baton/wire/yaml_findings.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// A small, strict reading of YAML for files that people write and review.
namespace baton::wire::yaml {

enum class Kind : std::uint8_t { null, scalar, sequence, mapping };

/// One value and where it stands. Scalars stay text: whether `310` is a number is for the reader to
/// say.
struct Node {
    Kind kind{Kind::null};
    Place at;
    std::string text;           // of a scalar
    bool quoted{false};         // the scalar was quoted or a block
    std::vector<Node> children; // of a sequence or mapping, in file order
    std::string key;            // under which a mapping holds this node; each once
    Place key_at;

    /// The value under `key` of a mapping; nullptr when there is none.
    const Node* find(std::string_view key) const;
};

/// "text", "a list", "a mapping", "nothing"
std::string_view name_of(Kind kind);

/// Reads exactly one document. nullopt when there is no tree to go on with (a syntax error, broken
/// UTF-8, control characters, deeper than limits::kYamlDepthMax, more nodes than
/// limits::kYamlNodesMax).
///
/// What YAML allows and people trip over is an error too, each with its place, but the tree goes
/// on: keys that stand twice (the first stays), keys that are no text, aliases, anchors, merge
/// keys, tags, more than one document. A file without content is a null node. Never throws,
/// whatever the bytes.
std::optional<Node> read(std::string_view text, Findings& findings);

} // namespace baton::wire::yaml
