#include "baton/wire/pipelines.hpp"

#include "baton/base/forms.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/domain/identity.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_fields.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::wire {

namespace {

using yaml::Findings;
using yaml::Kind;
using yaml::Node;

constexpr std::size_t kPipelinesBytesMax = 1024U * 1024;
constexpr std::string_view kEntryForm = "ORGANIZATION_UUID/PIPELINE_UUID: owner/repo";

bool is_pipeline_key(std::string_view key) {
    const auto slash = key.find('/');
    return slash != std::string_view::npos && is_uuid(key.substr(0, slash)) &&
           is_uuid(key.substr(slash + 1));
}

/// Goes through the tree once and notes everything it meets.
class Reader {
public:
    explicit Reader(Findings& findings)
        : findings_(findings) {}

    domain::Pipelines take() { return std::move(pipelines_); }

    void read_root(const Node& root) {
        constexpr std::array<std::string_view, 2> kKnown{"providers", "buildkite"};
        if (root.kind != Kind::mapping) {
            findings_.error(
                root.at,
                fmt::format(
                    "expected providers, found {}: write {{providers: {{buildkite: {{repo_map: "
                    "{{}}}}}}}} to register nobody on purpose",
                    name_of(root.kind)
                )
            );
            return;
        }
        pass_over_others(root, kKnown, "");
        const auto* providers = root.find("providers");
        const auto* legacy = root.find("buildkite");
        if (providers != nullptr) {
            read_providers(*providers);
            if (legacy != nullptr) {
                findings_.warning(
                    legacy->key_at, "buildkite is left unread: providers.buildkite is there too"
                );
            }
        } else if (legacy != nullptr) {
            read_legacy(*legacy);
        } else {
            findings_.error(root.at, "neither providers nor buildkite is there");
        }
    }

private:
    void read_providers(const Node& providers) {
        constexpr std::array<std::string_view, 1> kKnown{"buildkite"};
        if (!is_mapping(providers, "providers")) {
            return;
        }
        pass_over_others(providers, kKnown, "providers.");
        const auto* buildkite = providers.find("buildkite");
        if (buildkite == nullptr) {
            findings_.error(providers.key_at, "providers.buildkite is missing");
            return;
        }
        constexpr std::array<std::string_view, 1> kParts{"repo_map"};
        if (!is_mapping(*buildkite, "providers.buildkite")) {
            return;
        }
        pass_over_others(*buildkite, kParts, "providers.buildkite.");
        const auto* entries = buildkite->find("repo_map");
        if (entries == nullptr) {
            findings_.error(buildkite->key_at, "providers.buildkite.repo_map is missing");
            return;
        }
        read_entries(*entries, "repo_map");
    }

    /// The entries themselves, or under `repo_map` as in the newer form.
    void read_legacy(const Node& legacy) {
        const auto* nested = legacy.find("repo_map");
        read_entries(
            nested == nullptr ? legacy : *nested, nested == nullptr ? "buildkite" : "repo_map"
        );
    }

    void read_entries(const Node& entries, std::string_view what) {
        if (!is_mapping(entries, what)) {
            return;
        }
        for (const auto& entry : entries.children) {
            if (!is_pipeline_key(entry.key)) {
                findings_.error(
                    entry.key_at,
                    fmt::format("\"{}\" is not two UUIDs: write {}", inert(entry.key), kEntryForm)
                );
                continue;
            }
            auto pipeline = read_pipeline(entry);
            if (pipeline && !pipelines_.emplace(lower(entry.key), *std::move(pipeline)).second) {
                findings_.error(
                    entry.key_at, fmt::format("{} stands twice", inert(lower(entry.key)))
                );
            }
        }
    }

    std::optional<domain::Pipeline> read_pipeline(const Node& entry) {
        constexpr std::array<std::string_view, 2> kKnown{"repo", "required_claims"};
        if (entry.kind != Kind::mapping) {
            auto repo = read_repo(entry);
            return repo ? std::optional(domain::Pipeline{.repo = *std::move(repo), .required = {}})
                        : std::nullopt;
        }
        yaml::refuse_unknown_keys(entry, kKnown, findings_);
        const auto* repo = entry.find("repo");
        if (repo == nullptr) {
            findings_.error(entry.key_at, "repo is missing: add repo: owner/repo");
            return std::nullopt;
        }
        auto name = read_repo(*repo);
        if (!name) {
            return std::nullopt;
        }
        domain::Pipeline pipeline{.repo = *std::move(name), .required = {}};
        if (const auto* claims = entry.find("required_claims")) {
            read_required(*claims, pipeline.required);
        }
        return pipeline;
    }

    std::optional<RepoName> read_repo(const Node& node) {
        const auto text = yaml::text_of(node, "repo", findings_);
        if (!text) {
            return std::nullopt;
        }
        auto repo = RepoName::parse(*text);
        if (!repo) {
            findings_.error(node.at, fmt::format("repo: {}", repo.error().detail));
            return std::nullopt;
        }
        return *std::move(repo);
    }

    void read_required(const Node& claims, std::vector<domain::RequiredClaim>& required) {
        if (!is_mapping(claims, "required_claims")) {
            return;
        }
        for (const auto& claim : claims.children) {
            domain::RequiredClaim one{.name = claim.key, .values = {}};
            if (claim.kind == Kind::sequence) {
                for (const auto& value : claim.children) {
                    read_value(value, one);
                }
            } else {
                read_value(claim, one);
            }
            if (claim.kind == Kind::sequence && claim.children.empty()) {
                findings_.error(
                    claim.at, fmt::format("{}: the list lets nobody in", inert(claim.key))
                );
            }
            required.push_back(std::move(one));
        }
    }

    void read_value(const Node& node, domain::RequiredClaim& claim) {
        if (node.kind != Kind::scalar) {
            findings_.error(
                node.at,
                fmt::format(
                    "{}: expected text, found {}: write \"\" for a claim that has to be absent",
                    inert(claim.name),
                    name_of(node.kind)
                )
            );
            return;
        }
        claim.values.push_back(node.text);
    }

    bool is_mapping(const Node& node, std::string_view what) {
        if (node.kind == Kind::mapping) {
            return true;
        }
        findings_.error(
            node.at, fmt::format("{}: expected a mapping, found {}", what, name_of(node.kind))
        );
        return false;
    }

    /// Other relays keep more in this file. Above all no issuer or key is ever taken from it.
    template <std::size_t N>
    void pass_over_others(
        const Node& mapping, const std::array<std::string_view, N>& known, std::string_view prefix
    ) {
        for (const auto& child : mapping.children) {
            if (std::ranges::find(known, child.key) == known.end()) {
                findings_.warning(
                    child.key_at,
                    fmt::format(
                        "{}{} is left unread{}",
                        prefix,
                        inert(child.key),
                        yaml::did_you_mean(child.key, known)
                    )
                );
            }
        }
    }

    Findings& findings_;
    domain::Pipelines pipelines_;
};

} // namespace

PipelinesReading read_pipelines(std::string_view text) {
    Findings findings;
    if (text.size() > kPipelinesBytesMax) {
        findings.error({}, fmt::format("longer than {} bytes", kPipelinesBytesMax));
        return {.pipelines = {}, .findings = std::move(findings).take()};
    }
    const auto root = yaml::read(text, findings);
    Reader reader(findings);
    if (root) {
        reader.read_root(*root);
    }
    PipelinesReading reading;
    if (root && !findings.any_errors()) {
        reading.pipelines = reader.take();
    }
    reading.findings = std::move(findings).take();
    return reading;
}

} // namespace baton::wire
