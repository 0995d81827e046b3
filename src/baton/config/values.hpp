#pragma once

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
#include <type_traits>
#include <utility>
#include <vector>

namespace baton::config {

/// Reads single values, each written out or given as `{file: PATH}` or `{env: NAME}`. `what` is the
/// value's full name ("github.app_id"). nullopt always means that a finding was noted.
class Values {
public:
    Values(
        std::filesystem::path directory,
        const Surroundings& surroundings,
        wire::yaml::Findings& findings
    );

    std::optional<std::string> text(const wire::yaml::Node& node, std::string_view what);
    std::optional<std::int64_t>
    number(const wire::yaml::Node& node, std::string_view what, wire::yaml::Range range);
    std::optional<Millis> duration(const wire::yaml::Node& node, std::string_view what);
    std::optional<std::string>
    url(const wire::yaml::Node& node, std::string_view what, net::PlainHttp plain);
    /// Only by file or environment, and not empty.
    std::optional<Secret> secret(const wire::yaml::Node& node, std::string_view what);
    /// A list of them, at least one. Faulty ones are noted and left out.
    std::vector<Secret> secrets(const wire::yaml::Node& node, std::string_view what);

    /// Runs `read(node, findings)` on what the value stands for. What a file or variable holds may
    /// be a secret in the wrong place, so a finding about it shows the place and not the content.
    template <class Read>
    std::invoke_result_t<Read, const wire::yaml::Node&, wire::yaml::Findings&>
    through(const wire::yaml::Node& node, std::string_view what, Read read) {
        if (!is_reference(node)) {
            return read(node, findings_);
        }
        const auto resolved = resolve(node, what);
        if (!resolved) {
            return std::nullopt;
        }
        wire::yaml::Findings hidden;
        auto value = read(*resolved, hidden);
        if (!value) {
            note(
                node, fmt::format("{}: what {} holds is not of the right form", what, name_of(node))
            );
        }
        return value;
    }

    /// A path made independent of where the process was started.
    std::string path(std::string_view relative) const;

    void note(const wire::yaml::Node& node, std::string message) {
        findings_.error(node.at, std::move(message));
    }

    wire::yaml::Findings& findings() { return findings_; }

private:
    static bool is_reference(const wire::yaml::Node& node);
    static std::string name_of(const wire::yaml::Node& reference);
    std::optional<wire::yaml::Node>
    resolve(const wire::yaml::Node& reference, std::string_view what);
    std::optional<std::string> content(const wire::yaml::Node& reference, std::string_view what);

    std::filesystem::path directory_;
    const Surroundings& surroundings_;
    wire::yaml::Findings& findings_;
};

} // namespace baton::config
