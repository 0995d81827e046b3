#include "baton/base/forms.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/config/config.hpp"
#include "baton/config/read_levels.hpp"
#include "baton/config/read_log.hpp"
#include "baton/config/read_oidc.hpp"
#include "baton/config/read_quality.hpp"
#include "baton/config/read_retention.hpp"
#include "baton/config/read_sinks.hpp"
#include "baton/config/read_store.hpp"
#include "baton/config/read_upstreams.hpp"
#include "baton/config/secret.hpp"
#include "baton/config/section.hpp"
#include "baton/config/values.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/net/url.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_fields.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::config {

namespace {

constexpr std::size_t kTokenLeast = 16;

/// What stands in a file instead of the PEM that is wanted. Only its label is told, which is no
/// secret.
std::string not_this_pem(const Secret& secret, std::string_view wanted) {
    constexpr std::string_view kBegin = "-----BEGIN ";
    const auto& text = secret.reveal();
    const auto at = text.find(kBegin);
    if (at == std::string::npos) {
        return fmt::format("is not PEM: \"{}\" is not in it", wanted);
    }
    const auto label = std::string_view(text).substr(at + kBegin.size());
    if (label.substr(0, label.find("-----")).ends_with("PUBLIC KEY")) {
        return fmt::format("is a public key: the private one, with \"{}\", is wanted", wanted);
    }
    return fmt::format("is another kind of PEM: \"{}\" is not in it", wanted);
}

namespace yaml = wire::yaml;
using yaml::Findings;
using yaml::Kind;
using yaml::Node;

std::optional<ListenAt> parse_listen(std::string_view text) {
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos) {
        return std::nullopt;
    }
    auto host = text.substr(0, colon);
    const auto port = text.substr(colon + 1);
    const bool bracketed = host.starts_with('[') && host.ends_with(']');
    if (bracketed) {
        host = host.substr(1, host.size() - 2);
    }
    const auto number = whole_number(port);
    ListenAt at{.host = std::string(host), .port = static_cast<std::uint16_t>(number.value_or(0))};
    const bool six = at.host.find(':') != std::string::npos;
    if (!number || *number > std::numeric_limits<std::uint16_t>::max() || six != bracketed ||
        (at.host != "localhost" && !net::is_address(at.host))) {
        return std::nullopt;
    }
    return at;
}

/// Reads the sections one by one; everything that is wrong is noted and reading goes on.
class Reader {
public:
    Reader(Values& values, Config& config)
        : values_(values)
        , config_(config) {}

    void read(const Node& root);

private:
    // Readers of one value, in the form that Section::set takes.
    auto text() {
        return [this](const Node& node, std::string_view what) { return values_.text(node, what); };
    }

    auto duration() {
        return [this](const Node& node, std::string_view what) {
            return values_.duration(node, what);
        };
    }

    auto url(net::PlainHttp plain) {
        return [this, plain](const Node& node, std::string_view what) {
            return values_.url(node, what, plain);
        };
    }

    auto number(yaml::Range range) {
        return [this, range](const Node& node, std::string_view what) {
            return values_.number(node, what, range);
        };
    }

    /// A secret or certificate that has to be PEM: the commonest mistake is the path instead of the
    /// content.
    auto pem_secret(std::string_view label) {
        return [this, label](const Node& node, std::string_view what) {
            auto secret = values_.secret(node, what);
            if (secret && secret->reveal().find(label) == std::string::npos) {
                values_.note(node, fmt::format("{}: {}", what, not_this_pem(*secret, label)));
                secret.reset();
            }
            return secret;
        };
    }

    void read_listener(Section& file) {
        file.set("listen", config_.listen, [this](const Node& node, std::string_view what) {
            return read_listen(node, what);
        });
        read_tls(file);
        file.set("public_url", config_.public_url, url(net::PlainHttp::anywhere));
        if (file.find("public_url") != nullptr) {
            return;
        }
        const auto& host = config_.listen.host;
        if (host == "0.0.0.0" || host == "::") {
            file.missing("public_url", "the address under which people reach the relay");
        }
        config_.public_url =
            fmt::format("{}://{}", config_.tls ? "https" : "http", to_text(config_.listen));
    }

    std::optional<ListenAt> read_listen(const Node& node, std::string_view what) {
        return values_.through(
            node,
            what,
            [what](const Node& value, Findings& findings) -> std::optional<ListenAt> {
                const auto address = yaml::text_of(value, what, findings);
                if (!address) {
                    return std::nullopt;
                }
                auto at = parse_listen(*address);
                if (!at) {
                    findings.error(
                        value.at,
                        fmt::format(
                            "{}: \"{}\" is not ADDRESS:PORT: write 127.0.0.1:8080 or [::]:8080",
                            what,
                            inert(*address)
                        )
                    );
                }
                return at;
            }
        );
    }

    void read_tls(Section& file) {
        constexpr std::array<std::string_view, 2> kKnown{"certificate", "key"};
        const auto* node = file.mapping_at("tls");
        if (node == nullptr) {
            return;
        }
        Tls tls;
        Section section(*node, {.name = "tls.", .known = kKnown}, values_);
        Secret certificate;
        section.need(
            "certificate", "{file: PATH}", certificate, pem_secret("-----BEGIN CERTIFICATE")
        );
        section.need("key", "{file: PATH}", tls.key, pem_secret("PRIVATE KEY-----"));
        tls.certificate = certificate.reveal();
        config_.tls = std::move(tls);
    }

    void read_store_path(Section& file) {
        config_.store = values_.path(config_.store);
        file.set("store", config_.store, [this](const Node& node, std::string_view /*what*/) {
            return read_store(node, values_);
        });
    }

    void read_github(Section& file) {
        constexpr std::array<std::string_view, 5> kKnown{
            "api_url", "app_id", "private_key", "webhook_secrets", "pace"
        };
        const auto* node = file.mapping_at("github");
        if (node == nullptr) {
            if (file.find("github") == nullptr) {
                file.missing("github", "app_id, private_key and webhook_secrets of the GitHub App");
            }
            return;
        }
        auto& github = config_.github;
        Section section(*node, {.name = "github.", .known = kKnown}, values_);
        section.set("api_url", github.api_url, url(net::PlainHttp::loopback_only));
        section.need(
            "app_id",
            "the number of the GitHub App",
            github.app_id,
            number({.least = 1, .most = std::numeric_limits<std::int64_t>::max()})
        );
        section.need(
            "private_key",
            "{file: app.pem}, the key that GitHub made for the App",
            github.private_key,
            pem_secret("PRIVATE KEY-----")
        );
        section.set("pace", github.pace, number({.least = 1, .most = 1'000'000}));
        if (const auto* secrets = section.find("webhook_secrets")) {
            github.webhook_secrets = values_.secrets(*secrets, "github.webhook_secrets");
        } else {
            section.missing("webhook_secrets", "[{env: BATON_WEBHOOK_SECRET}]");
        }
    }

    /// They come back in an Authorization header, where blanks cannot stand.
    void read_admin_tokens(const Node& node) {
        config_.admin_tokens = values_.secrets(node, "admin_tokens");
        const bool clean = std::ranges::all_of(config_.admin_tokens, [](const Secret& token) {
            return is_visible_ascii(token.reveal());
        });
        if (!clean) {
            values_.note(node, "admin_tokens: printable ASCII without blanks only");
        }
        const bool long_enough = std::ranges::all_of(config_.admin_tokens, [](const Secret& token) {
            return token.reveal().size() >= kTokenLeast;
        });
        if (!long_enough) {
            values_.findings().warning(
                node.at,
                fmt::format(
                    "admin_tokens: one has less than {} characters and may be guessed; `openssl "
                    "rand -hex 24` makes a good one",
                    kTokenLeast
                )
            );
        }
    }

    void read_retry(Section& file) {
        constexpr std::array<std::string_view, 3> kKnown{"first", "longest", "give_up_after"};
        const auto* node = file.mapping_at("retry");
        if (node == nullptr) {
            return;
        }
        auto& retry = config_.retry;
        Section section(*node, {.name = "retry.", .known = kKnown}, values_);
        section.set("first", retry.first, duration());
        section.set("longest", retry.longest, duration());
        section.set("give_up_after", retry.give_up_after, duration());
        if (retry.first > retry.longest || retry.longest > retry.give_up_after) {
            values_.note(
                *node, "retry: first, longest and give_up_after have to grow in this order"
            );
        }
    }

    void read_gate(Section& file) {
        file.set("gate_start", config_.gate.start, duration());
        file.set("gate_run", config_.gate.run, duration());
        file.set("gate_settle", config_.gate.settle, duration());
        std::int64_t retries = config_.gate.retries;
        file.set("gate_retries", retries, number({.least = 0, .most = 5}));
        config_.gate.retries = static_cast<int>(retries);
        Millis every{0};
        file.set("canary_every", every, duration());
        if (every > Millis{0}) {
            config_.canary_every = every;
        }
    }

    Values& values_;
    Config& config_;
};

void Reader::read(const Node& root) {
    constexpr std::array<std::string_view, 25> kKnown{"listen",         "public_url",
                                                      "store",          "tls",
                                                      "github",         "upstreams",
                                                      "oidc",           "sinks",
                                                      "admin_tokens",   "allowlist_refresh",
                                                      "recovery_every", "callbacks_per_minute",
                                                      "retry",          "start_timeout",
                                                      "run_timeout",    "gate_start",
                                                      "gate_run",       "gate_settle",
                                                      "gate_retries",   "canary_every",
                                                      "levels",         "log",
                                                      "notify",         "quality",
                                                      "retention"};
    static const Node nothing_written{.kind = Kind::mapping, .at = {.line = 1, .column = 1}};
    if (root.kind != Kind::mapping && root.kind != Kind::null) {
        values_.note(root, fmt::format("expected a mapping, found {}", name_of(root.kind)));
        return;
    }
    Section file(
        root.kind == Kind::null ? nothing_written : root, {.name = "", .known = kKnown}, values_
    );
    read_listener(file);
    read_store_path(file);
    read_github(file);
    config_.upstreams = read_upstreams(file, values_);
    if (const auto* oidc = file.find("oidc")) {
        config_.oidc = read_oidc(*oidc, values_);
    }
    read_told(file, config_, values_);
    if (const auto* tokens = file.find("admin_tokens")) {
        read_admin_tokens(*tokens);
    }
    file.set("allowlist_refresh", config_.allowlist_refresh, duration());
    file.set("recovery_every", config_.recovery_every, duration());
    file.set(
        "callbacks_per_minute", config_.callbacks_per_minute, number({.least = 1, .most = 60'000})
    );
    file.set("start_timeout", config_.start_timeout, duration());
    file.set("run_timeout", config_.run_timeout, duration());
    read_gate(file);
    read_retry(file);
    read_levels(file, config_.levels, values_);
    read_quality(file, config_.quality, values_);
    read_retention(file, config_.retention, values_);
    read_log(file, config_.log, values_);
}

} // namespace

std::string to_text(const ListenAt& at) {
    const bool six = at.host.find(':') != std::string::npos;
    return six ? fmt::format("[{}]:{}", at.host, at.port) : fmt::format("{}:{}", at.host, at.port);
}

ConfigReading
read_config(std::string_view text, const std::string& directory, const Surroundings& surroundings) {
    ConfigReading reading;
    Config config;
    Findings findings;
    if (text.size() > limits::kConfigBytesMax) {
        findings.error({}, fmt::format("longer than {} bytes", limits::kConfigBytesMax));
    } else if (const auto root = yaml::read(text, findings)) {
        Values values(directory, surroundings, findings);
        Reader(values, config).read(*root);
    }
    if (!findings.any_errors()) {
        reading.config = std::move(config);
    }
    reading.findings = std::move(findings).take();
    return reading;
}

ConfigReading load_config(const std::string& path, const Surroundings& surroundings) {
    const auto text = surroundings.read_file(path);
    if (!text) {
        return {.config = std::nullopt, .findings = {cannot_be_read(text.error())}};
    }
    return read_config(*text, std::filesystem::path(path).parent_path().string(), surroundings);
}

} // namespace baton::config
