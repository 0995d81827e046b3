#include "baton/config/read_receiver.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/config/config.hpp"
#include "baton/config/section.hpp"
#include "baton/config/values.hpp"
#include "baton/net/url.hpp"
#include "baton/wire/mail.hpp"
#include "baton/wire/yaml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

std::optional<std::string> read_address(const Node& node, std::string_view what, Values& values) {
    auto address = values.text(node, what);
    if (address && !wire::is_mail_address(*address)) {
        values.note(node, fmt::format("{}: write a plain address: team@example.org", what));
        return std::nullopt;
    }
    return address;
}

std::optional<std::vector<std::string>>
read_addresses(const Node& node, std::string_view what, Values& values) {
    constexpr std::size_t kMost = 20;
    if (node.kind != Kind::sequence || node.children.empty() || node.children.size() > kMost) {
        values.note(node, fmt::format("{}: expected a list of 1 to {} addresses", what, kMost));
        return std::nullopt;
    }
    std::vector<std::string> addresses;
    for (const auto& item : node.children) {
        if (auto address = read_address(item, what, values)) {
            addresses.push_back(*std::move(address));
        }
    }
    return addresses;
}

/// Its host and port are those of any address; only the scheme is another.
std::optional<std::string>
read_mail_server(const Node& node, std::string_view what, Values& values) {
    auto server = values.text(node, what);
    if (!server) {
        return std::nullopt;
    }
    const bool mail = server->starts_with("smtp://") || server->starts_with("smtps://");
    const auto parsed = net::parse_url(
        "http" + server->substr(std::min(server->find("://"), server->size())),
        net::PlainHttp::anywhere
    );
    if (!mail || !parsed || !parsed->path.empty()) {
        values.note(
            node, fmt::format("{}: write smtps://HOST:PORT, or smtp://HOST:PORT for STARTTLS", what)
        );
        return std::nullopt;
    }
    return server;
}

std::optional<MailAt> read_mail(const Node& node, std::string_view what, Values& values) {
    constexpr std::array<std::string_view, 5> kKnown{
        "to", "from", "server", "username", "password"
    };
    if (node.kind != Kind::mapping) {
        values.note(node, fmt::format("{}: write {{to: […], from: …, server: smtps://…}}", what));
        return std::nullopt;
    }
    MailAt mail;
    Section section(node, {.name = "notify.mail.", .known = kKnown}, values);
    section.need(
        "to",
        "a list of addresses",
        mail.to,
        [&](const Node& value, std::string_view key) { return read_addresses(value, key, values); }
    );
    section.need(
        "from",
        "the address it comes from",
        mail.from,
        [&](const Node& value, std::string_view key) { return read_address(value, key, values); }
    );
    section.need(
        "server",
        "smtps://mail.example.org:465",
        mail.server,
        [&](const Node& value, std::string_view key) {
            return read_mail_server(value, key, values);
        }
    );
    section.set("username", mail.username, [&](const Node& value, std::string_view key) {
        return values.text(value, key);
    });
    section.set("password", mail.password, [&](const Node& value, std::string_view key) {
        return values.secret(value, key);
    });
    if (mail.username.empty() != (section.find("password") == nullptr)) {
        values.note(node, fmt::format("{}: username and password go together", what));
    }
    return mail;
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
    constexpr std::array<std::string_view, 5> kKnown{"name", "url", "secret", "comment", "mail"};
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
    const bool hook = section.find("url") != nullptr || section.find("secret") != nullptr;
    const bool comment = section.find("comment") != nullptr;
    const bool mail = section.find("mail") != nullptr;
    if (int{hook} + int{comment} + int{mail} > 1) {
        values.note(node, "notify: a receiver is a webhook, an issue or mailboxes: one of them");
        return std::nullopt;
    }
    if (!comment && !mail) {
        receiver.at = read_hook(section, values);
    }
    section.set("comment", receiver.at, [&values](const Node& value, std::string_view what) {
        return read_issue(value, what, values);
    });
    section.set("mail", receiver.at, [&values](const Node& value, std::string_view what) {
        return read_mail(value, what, values);
    });
    return receiver;
}

} // namespace baton::config
