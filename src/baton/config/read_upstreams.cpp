#include "baton/config/read_upstreams.hpp"

#include "baton/base/ids.hpp"
#include "baton/config/allowlist_at.hpp"
#include "baton/config/config.hpp"
#include "baton/config/section.hpp"
#include "baton/config/values.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_fields.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace baton::config {

namespace {

namespace yaml = wire::yaml;
using yaml::Findings;
using yaml::Kind;
using yaml::Node;

/// Text that `parse` turns into a value, or says why not.
template <class Parse>
auto read_parsed(const Node& node, std::string_view what, Values& values, Parse parse) {
    using Value = typename decltype(parse(std::string_view{}))::value_type;
    return values.through(
        node,
        what,
        [what, parse](const Node& value, Findings& findings) -> std::optional<Value> {
            const auto text = yaml::text_of(value, what, findings);
            if (!text) {
                return std::nullopt;
            }
            auto parsed = parse(*text);
            if (!parsed) {
                findings.error(value.at, fmt::format("{}: {}", what, parsed.error().detail));
                return std::nullopt;
            }
            return *std::move(parsed);
        }
    );
}

std::optional<AllowlistAt>
read_allowlist_at(const Node& node, std::string_view what, Values& values) {
    auto at = read_parsed(node, what, values, parse_allowlist_at);
    if (at && std::holds_alternative<AllowlistFile>(*at)) {
        auto& file = std::get<AllowlistFile>(*at);
        file.path = values.path(file.path);
    }
    return at;
}

std::optional<std::vector<std::string>>
read_texts(const Node& node, std::string_view what, Values& values) {
    if (node.kind != Kind::sequence || node.children.empty()) {
        values.note(node, fmt::format("{}: expected a list of at least one text", what));
        return std::nullopt;
    }
    std::vector<std::string> texts;
    for (const auto& item : node.children) {
        if (auto one = values.text(item, what)) {
            texts.push_back(*std::move(one));
        }
    }
    return texts;
}

constexpr std::array<yaml::Choice<GateWhen>, 2> kGates{
    {{.name = "needed", .value = GateWhen::needed}, {.name = "always", .value = GateWhen::always}}
};
constexpr std::array<yaml::Choice<CommentWhen>, 2> kComments{
    {{.name = "never", .value = CommentWhen::never},
     {.name = "trouble", .value = CommentWhen::trouble}}
};

constexpr std::array<yaml::Choice<ProposalWay>, 2> kProposals{
    {{.name = "bundle", .value = ProposalWay::bundle},
     {.name = "pull-request", .value = ProposalWay::pull_request}}
};

template <class Word, std::size_t N>
std::optional<Word> read_choice(
    const Node& node,
    std::string_view what,
    Values& values,
    const std::array<yaml::Choice<Word>, N>& choices
) {
    return values.through(node, what, [&](const Node& word, Findings& findings) {
        return yaml::choice_of<Word>(word, what, choices, findings);
    });
}

/// It stands before a slash in the name of each check, and re-runs are told by it.
std::optional<std::string>
read_check_prefix(const Node& node, std::string_view what, Values& values) {
    auto prefix = values.text(node, what);
    const auto is_plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_' || c == '.';
    };
    constexpr std::size_t most = 32;
    if (prefix &&
        (prefix->empty() || prefix->size() > most || !std::ranges::all_of(*prefix, is_plain))) {
        values.note(
            node, fmt::format("{}: expected 1 to {} letters, digits, '-', '_' or '.'", what, most)
        );
        return std::nullopt;
    }
    return prefix;
}

Upstream read_upstream(const Node& item, Values& values) {
    constexpr std::array<std::string_view, 8> kKnown{
        "repo",
        "allowlist",
        "label_prefixes",
        "check_prefix",
        "gate",
        "comment",
        "proposals",
        "probe"
    };
    Upstream upstream;
    Section section(item, {.name = "upstreams.", .known = kKnown}, values);
    section.need(
        "repo",
        "owner/repo",
        upstream.repo,
        [&values](const Node& node, std::string_view what) {
            return read_parsed(node, what, values, RepoName::parse);
        }
    );
    section.need(
        "allowlist",
        "file:PATH or github:OWNER/REPO/PATH@REF",
        upstream.allowlist,
        [&values](const Node& node, std::string_view what) {
            return read_allowlist_at(node, what, values);
        }
    );
    section.set(
        "label_prefixes",
        upstream.label_prefixes,
        [&values](const Node& node, std::string_view what) {
            return read_texts(node, what, values);
        }
    );
    section.set(
        "check_prefix",
        upstream.check_prefix,
        [&values](const Node& node, std::string_view what) {
            return read_check_prefix(node, what, values);
        }
    );
    section.set("gate", upstream.gate, [&values](const Node& node, std::string_view what) {
        return read_choice<GateWhen>(node, what, values, kGates);
    });
    section.set("comment", upstream.comment, [&values](const Node& node, std::string_view what) {
        return read_choice<CommentWhen>(node, what, values, kComments);
    });
    section.set("proposals", upstream.proposals, [&](const Node& node, std::string_view what) {
        const auto way = read_choice<ProposalWay>(node, what, values, kProposals);
        if (way == ProposalWay::pull_request &&
            !std::holds_alternative<AllowlistOnGithub>(upstream.allowlist)) {
            values.note(
                node,
                fmt::format(
                    "{}: a list in a file takes no pull request; write bundle, or keep the "
                    "list on GitHub: github:OWNER/REPO/PATH@BRANCH",
                    what
                )
            );
        }
        return way;
    });
    section.set("probe", upstream.probe, [&values](const Node& node, std::string_view what) {
        return read_parsed(node, what, values, RepoName::parse);
    });
    return upstream;
}

} // namespace

std::vector<Upstream> read_upstreams(Section& file, Values& values) {
    std::vector<Upstream> upstreams;
    const auto* node = file.find("upstreams");
    if (node == nullptr) {
        file.missing("upstreams", "a list of {repo: owner/repo, allowlist: file:allowlist.yml}");
        return upstreams;
    }
    if (node->kind != Kind::sequence || node->children.empty()) {
        values.note(*node, "upstreams: expected a list of at least one {repo: …, allowlist: …}");
        return upstreams;
    }
    for (const auto& item : node->children) {
        if (item.kind != Kind::mapping) {
            values.note(item, "upstreams: write {repo: owner/repo, allowlist: file:allowlist.yml}");
            continue;
        }
        auto upstream = read_upstream(item, values);
        const auto same = std::ranges::find(upstreams, upstream.repo, &Upstream::repo);
        if (same != upstreams.end() && !upstream.repo.empty()) {
            values.note(item, fmt::format("upstreams: {} stands twice", upstream.repo.text()));
            continue;
        }
        upstreams.push_back(std::move(upstream));
    }
    return upstreams;
}

} // namespace baton::config
