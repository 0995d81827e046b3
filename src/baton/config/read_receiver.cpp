#include "baton/config/read_receiver.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/config/config.hpp"
#include "baton/config/section.hpp"
#include "baton/config/values.hpp"
#include "baton/net/url.hpp"
#include "baton/wire/yaml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::config {

namespace {

namespace yaml = wire::yaml;
using yaml::Kind;
using yaml::Node;

/// Letters are addressed to it, and people type it.
std::optional<std::string> read_name(const Node& node, std::string_view what, Values& values) {
    constexpr std::size_t kNameMax = 40;
    auto name = values.text(node, what);
    if (!name) {
        return std::nullopt;
    }
    const bool plain = std::ranges::all_of(*name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
    if (name->empty() || name->size() > kNameMax || !plain) {
        values.note(node, "notify.name: up to 40 small letters, digits and dashes");
        return std::nullopt;
    }
    return name;
}

/// OWNER/REPO#NUMBER
std::optional<IssueAt> read_issue(const Node& node, std::string_view what, Values& values) {
    const auto text = values.text(node, what);
    if (!text) {
        return std::nullopt;
    }
    const auto hash = std::min(text->find('#'), text->size());
    auto repo = RepoName::parse(text->substr(0, hash));
    const auto number =
        whole_number(std::string_view(*text).substr(std::min(hash + 1, text->size())));
    if (!repo || !number || *number <= 0) {
        values.note(node, fmt::format("{}: write the issue as OWNER/REPO#NUMBER", what));
        return std::nullopt;
    }
    return IssueAt{.repo = *std::move(repo), .number = PrNumber{*number}};
}

HookAt read_hook(Section& section, Values& values) {
    HookAt hook;
    section.need(
        "url",
        "where it is: https://hooks.example.org/baton",
        hook.url,
        [&values](const Node& value, std::string_view what) {
            return values.url(value, what, net::PlainHttp::loopback_only);
        }
    );
    section.need(
        "secret",
        "{env: NOTIFY_SECRET}, which signs what it is sent",
        hook.secret,
        [&values](const Node& value, std::string_view what) { return values.secret(value, what); }
    );
    return hook;
}

} // namespace

std::optional<Receiver> read_receiver(const Node& node, Values& values) {
    constexpr std::array<std::string_view, 4> kKnown{"name", "url", "secret", "comment"};
    if (node.kind != Kind::mapping) {
        values.note(
            node,
            "notify: write {name: oncall, url: https://…, secret: {env: NAME}} or {name: issue, "
            "comment: OWNER/REPO#NUMBER}"
        );
        return std::nullopt;
    }
    Receiver receiver;
    Section section(node, {.name = "notify.", .known = kKnown}, values);
    section.need(
        "name",
        "a short one, for people: oncall",
        receiver.name,
        [&values](const Node& value, std::string_view what) {
            return read_name(value, what, values);
        }
    );
    const auto* const comment = section.find("comment");
    if (comment == nullptr) {
        receiver.at = read_hook(section, values);
        return receiver;
    }
    if (section.find("url") != nullptr || section.find("secret") != nullptr) {
        values.note(*comment, "notify.comment: a receiver is a webhook or an issue, not both");
    }
    section.set("comment", receiver.at, [&values](const Node& value, std::string_view what) {
        return read_issue(value, what, values);
    });
    return receiver;
}

} // namespace baton::config
