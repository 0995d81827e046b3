#include "baton/config/read_sinks.hpp"

#include "baton/base/forms.hpp"
#include "baton/config/config.hpp"
#include "baton/config/secret.hpp"
#include "baton/config/section.hpp"
#include "baton/config/values.hpp"
#include "baton/net/url.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_fields.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::config {

namespace {

namespace yaml = wire::yaml;
using yaml::Findings;
using yaml::Kind;
using yaml::Node;

std::optional<SinkKind> read_kind(const Node& node, std::string_view what, Values& values) {
    constexpr std::array<yaml::Choice<SinkKind>, 1> kChoices{
        {{.name = "pytorch-hud", .value = SinkKind::pytorch_hud}}
    };
    return values.through(node, what, [what, &kChoices](const Node& value, Findings& findings) {
        return yaml::choice_of<SinkKind>(value, what, kChoices, findings);
    });
}

/// It travels in a header, where blanks and line ends cannot stand.
std::optional<Secret> read_key(const Node& node, std::string_view what, Values& values) {
    auto key = values.secret(node, what);
    if (key && !is_visible_ascii(key->reveal())) {
        values.note(node, "sinks.key: printable ASCII without blanks only");
        return std::nullopt;
    }
    return key;
}

std::optional<Sink> read_sink(const Node& node, Values& values) {
    constexpr std::array<std::string_view, 3> kKnown{"kind", "url", "key"};
    if (node.kind != Kind::mapping) {
        values.note(node, "sinks: write {kind: pytorch-hud, url: https://…, key: {env: NAME}}");
        return std::nullopt;
    }
    Sink sink;
    Section section(node, {.name = "sinks.", .known = kKnown}, values);
    section.need(
        "kind",
        "pytorch-hud",
        sink.kind,
        [&values](const Node& value, std::string_view what) {
            return read_kind(value, what, values);
        }
    );
    section.need(
        "url",
        "where it is: https://hud.pytorch.org/api",
        sink.url,
        [&values](const Node& value, std::string_view what) {
            return values.url(value, what, net::PlainHttp::loopback_only);
        }
    );
    section.need(
        "key",
        "{env: HUD_BOT_KEY}, by which it knows the relay",
        sink.key,
        [&values](const Node& value, std::string_view what) {
            return read_key(value, what, values);
        }
    );
    return sink;
}

} // namespace

std::vector<Sink> read_sinks(const Node& node, Values& values) {
    std::vector<Sink> sinks;
    if (node.kind != Kind::sequence) {
        values.note(node, "sinks: expected a list");
        return sinks;
    }
    for (const auto& item : node.children) {
        auto sink = read_sink(item, values);
        if (!sink) {
            continue;
        }
        if (std::ranges::find(sinks, sink->kind, &Sink::kind) != sinks.end()) {
            values.note(item, "sinks: one of each kind is enough");
            continue;
        }
        sinks.push_back(*std::move(sink));
    }
    return sinks;
}

} // namespace baton::config
