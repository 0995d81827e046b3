#include "baton/config/read_sinks.hpp"

#include "baton/base/forms.hpp"
#include "baton/config/config.hpp"
#include "baton/config/read_receiver.hpp"
#include "baton/config/secret.hpp"
#include "baton/config/section.hpp"
#include "baton/config/values.hpp"
#include "baton/net/url.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_fields.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
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

/// A list in which no two have the same `key`.
template <class T, class Read, class Key>
std::vector<T> read_each(
    const Node& node,
    std::string_view name,
    Read read,
    Key key,
    std::string_view twice,
    Values& values
) {
    std::vector<T> all;
    if (node.kind != Kind::sequence) {
        values.note(node, fmt::format("{}: expected a list", name));
        return all;
    }
    for (const auto& item : node.children) {
        auto one = read(item, values);
        if (!one) {
            continue;
        }
        if (std::ranges::find(all, std::invoke(key, *one), key) != all.end()) {
            values.note(item, fmt::format("{}: {}", name, twice));
            continue;
        }
        all.push_back(*std::move(one));
    }
    return all;
}

} // namespace

void read_told(const Section& file, Config& config, Values& values) {
    if (const auto* sinks = file.find("sinks")) {
        config.sinks = read_each<Sink>(
            *sinks, "sinks", read_sink, &Sink::kind, "one of each kind is enough", values
        );
    }
    if (const auto* notify = file.find("notify")) {
        config.notify = read_each<Receiver>(
            *notify,
            "notify",
            read_receiver,
            &Receiver::name,
            "two receivers have the same name",
            values
        );
    }
}

} // namespace baton::config
