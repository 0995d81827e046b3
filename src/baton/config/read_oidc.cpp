#include "baton/config/read_oidc.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/config/config.hpp"
#include "baton/config/section.hpp"
#include "baton/config/values.hpp"
#include "baton/net/url.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_fields.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::config {

namespace {

namespace yaml = wire::yaml;
using yaml::Findings;
using yaml::Kind;
using yaml::Node;

constexpr std::string_view kGithubActions = "https://token.actions.githubusercontent.com";

std::optional<IssuerKind> read_kind(const Node& node, std::string_view what, Values& values) {
    constexpr std::array<yaml::Choice<IssuerKind>, 3> kChoices{
        {{.name = "github-actions", .value = IssuerKind::github_actions},
         {.name = "buildkite", .value = IssuerKind::buildkite},
         {.name = "gitlab", .value = IssuerKind::gitlab}}
    };
    return values.through(node, what, [what, &kChoices](const Node& value, Findings& findings) {
        return yaml::choice_of<IssuerKind>(value, what, kChoices, findings);
    });
}

/// Tokens name their issuer byte for byte, so it stays as it is written.
std::optional<std::string>
read_issuer_url(const Node& node, std::string_view what, Values& values) {
    return values.through(
        node,
        what,
        [what](const Node& value, Findings& findings) -> std::optional<std::string> {
            auto text = yaml::text_of(value, what, findings);
            if (!text) {
                return std::nullopt;
            }
            const auto url = net::parse_url(*text);
            if (!url) {
                findings.error(value.at, fmt::format("{}: {}", what, url.error().detail));
                return std::nullopt;
            }
            return text;
        }
    );
}

/// `file:PATH`, as everywhere else a file is named in a text.
std::optional<std::string> read_pipelines(const Node& node, std::string_view what, Values& values) {
    constexpr std::string_view kFile = "file:";
    const auto text = values.text(node, what);
    if (!text) {
        return std::nullopt;
    }
    if (!text->starts_with(kFile) || text->size() == kFile.size()) {
        values.note(node, fmt::format("{}: write file:PATH", what));
        return std::nullopt;
    }
    return values.path(std::string_view(*text).substr(kFile.size()));
}

std::optional<std::map<std::string, RepoName>>
read_projects(const Node& node, std::string_view what, Values& values) {
    if (node.kind != Kind::mapping || node.children.empty()) {
        values.note(node, fmt::format("{}: write {{group/project: owner/repo}}", what));
        return std::nullopt;
    }
    std::map<std::string, RepoName> projects;
    for (const auto& child : node.children) {
        const auto text = values.text(child, what);
        if (!text) {
            continue;
        }
        auto repo = RepoName::parse(*text);
        if (!repo) {
            values.note(child, fmt::format("{}: {}", what, repo.error().detail));
            continue;
        }
        projects.emplace(child.key, *std::move(repo));
    }
    return projects;
}

/// Each kind names repositories in its own way and needs its own key for that.
void check_kind_keys(Section& section, const Issuer& issuer, Values& values) {
    const auto* pipelines = section.find("pipelines");
    const auto* projects = section.find("projects");
    if (issuer.kind == IssuerKind::buildkite && pipelines == nullptr) {
        section.missing("pipelines", "file:PATH, the list of pipelines and their repositories");
    }
    if (issuer.kind == IssuerKind::gitlab && projects == nullptr) {
        section.missing("projects", "{group/project: owner/repo}");
    }
    if (issuer.kind != IssuerKind::buildkite && pipelines != nullptr) {
        values.note(*pipelines, section.name("pipelines") + ": is for kind buildkite only");
    }
    if (issuer.kind != IssuerKind::gitlab && projects != nullptr) {
        values.note(*projects, section.name("projects") + ": is for kind gitlab only");
    }
}

std::optional<Issuer> read_issuer(const Node& node, Values& values) {
    constexpr std::array<std::string_view, 5> kKnown{
        "issuer", "kind", "jwks_url", "pipelines", "projects"
    };
    if (node.kind != Kind::mapping) {
        values.note(node, "oidc.issuers: write {issuer: https://…, kind: github-actions}");
        return std::nullopt;
    }
    Issuer issuer;
    Section section(node, {.name = "oidc.issuers.", .known = kKnown}, values);
    section.need(
        "issuer",
        "the URL that its tokens name as iss",
        issuer.issuer,
        [&values](const Node& value, std::string_view what) {
            return read_issuer_url(value, what, values);
        }
    );
    section.need(
        "kind",
        "github-actions, buildkite or gitlab",
        issuer.kind,
        [&values](const Node& value, std::string_view what) {
            return read_kind(value, what, values);
        }
    );
    section.set("jwks_url", issuer.jwks_url, [&values](const Node& value, std::string_view what) {
        return values.url(value, what, net::PlainHttp::loopback_only);
    });
    if (issuer.jwks_url && !issuer.issuer.empty() &&
        net::parse_url(*issuer.jwks_url)->origin() != net::parse_url(issuer.issuer)->origin()) {
        values.note(
            *section.find("jwks_url"), "oidc.issuers.jwks_url: has to be on the issuer's host"
        );
    }
    section.set(
        "pipelines",
        issuer.pipelines_file,
        [&values](const Node& value, std::string_view what) {
            return read_pipelines(value, what, values);
        }
    );
    section.set("projects", issuer.projects, [&values](const Node& value, std::string_view what) {
        return read_projects(value, what, values);
    });
    if (section.find("kind") != nullptr) {
        check_kind_keys(section, issuer, values);
    }
    return issuer;
}

/// In one spelling; empty when it is no address, which is noted already.
std::string address_of(const Issuer& issuer) {
    const auto url = net::parse_url(issuer.issuer);
    return url ? url->text() : "";
}

std::vector<Issuer> read_issuers(const Node& node, Values& values) {
    std::vector<Issuer> issuers;
    if (node.kind != Kind::sequence || node.children.empty()) {
        values.note(node, "oidc.issuers: expected a list of at least one issuer");
        return issuers;
    }
    for (const auto& item : node.children) {
        auto issuer = read_issuer(item, values);
        if (!issuer) {
            continue;
        }
        if (std::ranges::find(issuers, address_of(*issuer), address_of) != issuers.end()) {
            values.note(item, fmt::format("oidc.issuers: {} stands twice", inert(issuer->issuer)));
            continue;
        }
        issuers.push_back(*std::move(issuer));
    }
    return issuers;
}

} // namespace

std::optional<Oidc> read_oidc(const Node& node, Values& values) {
    constexpr std::array<std::string_view, 2> kKnown{"audience", "issuers"};
    if (node.kind != Kind::mapping) {
        values.note(node, "oidc: expected a mapping with audience and issuers");
        return std::nullopt;
    }
    Oidc oidc;
    Section section(node, {.name = "oidc.", .known = kKnown}, values);
    section.need(
        "audience",
        "the word that tokens name as aud",
        oidc.audience,
        [&values](const Node& value, std::string_view what) { return values.text(value, what); }
    );
    if (const auto* issuers = section.find("issuers")) {
        oidc.issuers = read_issuers(*issuers, values);
    } else {
        oidc.issuers = {Issuer{
            .issuer = std::string(kGithubActions),
            .kind = IssuerKind::github_actions,
            .jwks_url = {},
            .pipelines_file = {},
            .projects = {},
        }};
    }
    return oidc;
}

} // namespace baton::config
