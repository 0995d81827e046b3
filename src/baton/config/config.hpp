#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/config/allowlist_at.hpp"
#include "baton/config/secret.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/gate.hpp"
#include "baton/domain/retry.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// The configuration file as one typed value. `docs/config.example.yml` is its manual.
namespace baton::config {

struct ListenAt {
    std::string host{"127.0.0.1"}; // an address without brackets, or localhost
    std::uint16_t port{8080};      // 0: any free one

    friend bool operator==(const ListenAt&, const ListenAt&) = default;
};

/// `host:port`, with brackets around an IPv6 address.
std::string to_text(const ListenAt& at);

struct Tls {
    std::string certificate; // PEM, the chain
    Secret key;              // PEM

    friend bool operator==(const Tls&, const Tls&) = default;
};

struct Github {
    std::string api_url{"https://api.github.com"}; // no slash at the end
    std::int64_t app_id{0};
    Secret private_key; // PEM
    std::vector<Secret> webhook_secrets;
    std::optional<int> pace; // points a minute; nullopt: only what GitHub announces

    friend bool operator==(const Github&, const Github&) = default;
};

/// When the gate stands on a pull request: while some level 4 downstream is listed, or always, so
/// that branch protection can require it before there is one.
enum class GateWhen : std::uint8_t { needed, always };

/// Whether a comment tells what the gate waits for.
enum class CommentWhen : std::uint8_t { never, trouble };

/// What becomes of a proposed change of the list: it waits in ledger and bundle, or is a pull
/// request too.
enum class ProposalWay : std::uint8_t { bundle, pull_request };

struct Upstream {
    RepoName repo;
    AllowlistAt allowlist;
    std::vector<std::string> label_prefixes{"ciflow/crcr/", "ciflow/oot/"};
    std::string check_prefix{"crcr"};
    GateWhen gate{GateWhen::needed};
    CommentWhen comment{CommentWhen::never};
    ProposalWay proposals{ProposalWay::bundle};
    std::optional<RepoName> probe; // a listed downstream that proves the relay

    friend bool operator==(const Upstream&, const Upstream&) = default;
};

enum class IssuerKind : std::uint8_t { github_actions, buildkite, gitlab };

/// Whose identity tokens are believed, and how they name a repository.
struct Issuer {
    std::string issuer;
    IssuerKind kind{IssuerKind::github_actions};
    std::optional<std::string> jwks_url; // nullopt: found through the issuer's well-known documents
    std::string pipelines_file;          // buildkite
    std::map<std::string, RepoName> projects; // gitlab: group/project to owner/repo

    friend bool operator==(const Issuer&, const Issuer&) = default;
};

struct Oidc {
    std::string audience;
    std::vector<Issuer> issuers;

    friend bool operator==(const Oidc&, const Oidc&) = default;
};

enum class SinkKind : std::uint8_t { pytorch_hud };

/// Who else is told of results.
struct Sink {
    SinkKind kind{SinkKind::pytorch_hud};
    std::string url; // no slash at the end
    Secret key;

    friend bool operator==(const Sink&, const Sink&) = default;
};

/// A webhook that is told.
struct HookAt {
    std::string url;
    Secret secret; // signs what it is sent

    friend bool operator==(const HookAt&, const HookAt&) = default;
};

/// An issue that is commented on.
struct IssueAt {
    RepoName repo;
    PrNumber number{};

    friend bool operator==(const IssueAt&, const IssueAt&) = default;
};

/// Mailboxes that are told.
struct MailAt {
    std::vector<std::string> to;
    std::string from;
    std::string server;   // smtps://host:port, or smtp:// with STARTTLS
    std::string username; // empty: the server asks for none
    Secret password;

    friend bool operator==(const MailAt&, const MailAt&) = default;
};

/// Who is told when a downstream stops counting in the gate, when its level moves, and when that is
/// over.
struct Receiver {
    std::string name;
    std::variant<HookAt, IssueAt, MailAt> at;

    friend bool operator==(const Receiver&, const Receiver&) = default;
};

/// How downstreams are judged.
struct Levels {
    std::string profile{"baton/1"}; // one that is built in, or the path of a file; empty: nobody is
    Millis day{std::chrono::hours{24}};

    friend bool operator==(const Levels&, const Levels&) = default;
};

/// What is known of the quality of platforms (docs/design/quality.md): folders, empty for none.
struct Quality {
    std::string assessments; // PLATFORM/RELEASE.yml
    std::string criteria;    // *.yml, beside those that are built in

    friend bool operator==(const Quality&, const Quality&) = default;
};

/// How long what is kept for a time only is kept.
struct Retention {
    Millis bodies{std::chrono::days{30}};   // payloads of webhooks
    Millis results{std::chrono::days{396}}; // dispatches, jobs and what they told: 13 months

    friend bool operator==(const Retention&, const Retention&) = default;
};

enum class LogFormat : std::uint8_t { text, json };
enum class LogLevel : std::uint8_t { debug, info, warn, error };

struct Log {
    LogFormat format{LogFormat::text};
    LogLevel level{LogLevel::info};

    friend bool operator==(const Log&, const Log&) = default;
};

struct Config {
    ListenAt listen;
    std::string public_url;        // no slash at the end; made from `listen` when left out
    std::string store{"baton.db"}; // a file, counted from the configuration file, or postgresql://…
    std::optional<Tls> tls;
    Github github;
    std::vector<Upstream> upstreams; // at least one, each repository once
    std::optional<Oidc> oidc;        // without it nobody can call back
    std::vector<Sink> sinks;         // at most one of each kind
    std::vector<Receiver> notify;    // each name once
    std::vector<Secret> admin_tokens;
    Millis allowlist_refresh{std::chrono::seconds{60}};
    Millis recovery_every{std::chrono::minutes{3}}; // a walk through GitHub's delivery log
    std::int64_t callbacks_per_minute{limits::kCallbacksPerMinute}; // of one downstream
    domain::RetryPolicy::Limits retry;
    Millis start_timeout{std::chrono::hours{2}};
    Millis run_timeout{std::chrono::hours{6}};
    domain::GateRules gate;
    std::optional<Millis> canary_every; // none: no canaries
    Levels levels;
    Quality quality;
    Retention retention;
    Log log;
};

/// What the configuration may look at outside its own text. The real one lives in app.
struct Surroundings {
    std::function<std::optional<std::string>(const std::string& name)> environment;
    std::function<Result<std::string>(const std::string& path)> read_file;
};

struct ConfigReading {
    std::optional<Config> config; // absent as soon as one finding is an error
    std::vector<domain::Finding> findings;
};

/// What the App has to be allowed beyond what every relay needs, a sentence for each thing that the
/// configuration turned on.
std::vector<std::string> rights_needed(const Config& config);

/// Reads and checks everything in one pass. Relative paths count from `directory`. No finding ever
/// holds a secret or what a file or an environment variable contains.
ConfigReading
read_config(std::string_view text, const std::string& directory, const Surroundings& surroundings);

/// The same for a file; one that cannot be read is a finding without a place.
ConfigReading load_config(const std::string& path, const Surroundings& surroundings);

struct StorePathReading {
    std::optional<std::string> path; // absent with a finding
    std::vector<domain::Finding> findings;
};

/// Only where the store is, whatever else the file says: tools that look into a store need neither
/// secrets nor a complete configuration.
StorePathReading load_store_path(const std::string& path, const Surroundings& surroundings);

struct LevelsReading {
    std::optional<Levels> levels; // absent with a finding
    std::vector<Upstream> upstreams;
    std::vector<domain::Finding> findings;
};

/// Only the rules of the ladder and whom they are about, for the same reason.
LevelsReading load_levels(const std::string& path, const Surroundings& surroundings);

/// The keys whose change a running relay cannot take over: it goes on with the old values until it
/// is started anew. What can be reloaded: github.private_key, github.webhook_secrets, admin_tokens
/// and quality; allowlists are read again by themselves.
std::vector<std::string> restart_needed(const Config& old, const Config& fresh);

} // namespace baton::config
