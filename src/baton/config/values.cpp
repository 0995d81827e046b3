#include "baton/config/values.hpp"

#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/config/config.hpp"
#include "baton/config/secret.hpp"
#include "baton/net/url.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_fields.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::config {

namespace yaml = wire::yaml;
using yaml::Findings;
using yaml::Kind;
using yaml::Node;

Values::Values(
    std::filesystem::path directory, const Surroundings& surroundings, Findings& findings
)
    : directory_(std::move(directory))
    , surroundings_(surroundings)
    , findings_(findings) {}

std::optional<std::string> Values::text(const Node& node, std::string_view what) {
    return through(node, what, [what](const Node& value, Findings& findings) {
        return yaml::text_of(value, what, findings);
    });
}

std::optional<std::int64_t>
Values::number(const Node& node, std::string_view what, yaml::Range range) {
    return through(node, what, [what, range](const Node& value, Findings& findings) {
        return yaml::number_of(value, what, range, findings);
    });
}

std::optional<Millis> Values::duration(const Node& node, std::string_view what) {
    return through(node, what, [what](const Node& value, Findings& findings) {
        return yaml::duration_of(value, what, findings);
    });
}

std::optional<std::string>
Values::url(const Node& node, std::string_view what, net::PlainHttp plain) {
    return through(
        node,
        what,
        [what, plain](const Node& value, Findings& findings) -> std::optional<std::string> {
            const auto text = yaml::text_of(value, what, findings);
            if (!text) {
                return std::nullopt;
            }
            const auto url = net::parse_url(*text, plain);
            if (!url) {
                findings.error(value.at, fmt::format("{}: {}", what, url.error().detail));
                return std::nullopt;
            }
            return url->text();
        }
    );
}

std::optional<Secret> Values::secret(const Node& node, std::string_view what) {
    if (!is_reference(node)) {
        note(
            node,
            fmt::format(
                "{}: is never written into this file: use {{file: PATH}} or {{env: NAME}}", what
            )
        );
        return std::nullopt;
    }
    auto text = content(node, what);
    if (!text) {
        return std::nullopt;
    }
    if (trimmed(*text).empty()) {
        note(node, fmt::format("{}: {} is empty", what, name_of(node)));
        return std::nullopt;
    }
    return Secret(*std::move(text));
}

std::vector<Secret> Values::secrets(const Node& node, std::string_view what) {
    std::vector<Secret> secrets;
    if (node.kind != Kind::sequence || node.children.empty()) {
        const auto* const wrong =
            node.kind == Kind::sequence ? "names no secret, and one is needed" : "expected a list";
        note(node, fmt::format("{}: {}: write [{{env: NAME}}]", what, wrong));
        return secrets;
    }
    for (const auto& item : node.children) {
        if (auto one = secret(item, what)) {
            secrets.push_back(*std::move(one));
        }
    }
    return secrets;
}

std::string Values::path(std::string_view relative) const {
    return (directory_ / relative).lexically_normal().string();
}

bool Values::is_reference(const Node& node) {
    return node.kind == Kind::mapping && node.children.size() == 1 &&
           (node.children[0].key == "file" || node.children[0].key == "env");
}

std::string Values::name_of(const Node& reference) {
    const auto& child = reference.children.front();
    return fmt::format("{{{}: {}}}", child.key, inert(child.text));
}

std::optional<Node> Values::resolve(const Node& reference, std::string_view what) {
    auto text = content(reference, what);
    if (!text) {
        return std::nullopt;
    }
    Node node{.kind = Kind::scalar, .at = reference.at};
    node.text = *std::move(text);
    return node;
}

std::optional<std::string> Values::content(const Node& reference, std::string_view what) {
    const auto& child = reference.children.front();
    const auto name = yaml::text_of(child, fmt::format("{}: {}", what, child.key), findings_);
    if (!name) {
        return std::nullopt;
    }
    if (child.key == "env") {
        auto value = surroundings_.environment(*name);
        if (!value) {
            note(child, fmt::format("{}: the environment has no variable {}", what, inert(*name)));
        }
        return value;
    }
    auto text = surroundings_.read_file(path(*name));
    if (!text) {
        note(
            child,
            fmt::format(
                "{}: {} cannot be read: {}", what, inert(path(*name)), inert(text.error().detail)
            )
        );
        return std::nullopt;
    }
    if (text->ends_with('\n')) {
        text->pop_back();
        if (text->ends_with('\r')) {
            text->pop_back();
        }
    }
    return *std::move(text);
}

} // namespace baton::config
