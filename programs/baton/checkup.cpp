#include "checkup.hpp"

#include "baton/app/files.hpp"
#include "baton/app/from_config.hpp"
#include "baton/app/surroundings.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/config/allowlist_at.hpp"
#include "baton/config/config.hpp"
#include "baton/crypto/rsa_key.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/net/server.hpp"
#include "baton/store/place.hpp"
#include "baton/store/tools.hpp"
#include "baton/wire/allowlist.hpp"
#include "baton/wire/pipelines.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

namespace baton::program {

namespace {

using wire::yaml::Node;
using wire::yaml::Place;

std::string plural(std::size_t count, std::string_view word) {
    return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

/// Tries what the configuration names, and notes what does not work at the value that names it.
class Trial {
public:
    Trial(std::string file, const Node& root, std::vector<Found>& found)
        : file_(std::move(file))
        , root_(root)
        , found_(found) {}

    bool keys_work(const config::Config& config) {
        bool work = true;
        const auto key = crypto::AppKey::parse(config.github.private_key.reveal());
        if (!key) {
            note({"github", "private_key"}, "github.private_key: " + key.error().detail);
            work = false;
        }
        if (config.tls) {
            const auto usable = net::check_tls(
                {.certificate_pem = config.tls->certificate, .key_pem = config.tls->key.reveal()}
            );
            if (!usable) {
                note({"tls"}, "tls: " + usable.error().detail);
                work = false;
            }
        }
        return work;
    }

    void try_store(const std::string& path) {
        std::error_code ignored;
        const auto folder = std::filesystem::path(path).parent_path();
        if (!store::is_database(path) && !folder.empty() &&
            !std::filesystem::is_directory(folder, ignored)) {
            const auto name = inert(folder.string());
            note({"store"}, fmt::format("store: there is no folder {}: make it first", name));
            return;
        }
        const auto steps = store::pending_steps(path);
        if (!steps) {
            note({"store"}, "store: " + inert(steps.error().detail));
        }
    }

    void try_allowlists(const std::vector<config::Upstream>& upstreams) {
        for (std::size_t i = 0; i < upstreams.size(); ++i) {
            const auto* file = std::get_if<config::AllowlistFile>(&upstreams[i].allowlist);
            if (file == nullptr) {
                continue;
            }
            const auto text = app::read_file(file->path, limits::kAllowlistBytesMax);
            if (!text) {
                const auto detail = inert(text.error().detail);
                note_at(allowlist_place(i), "upstreams.allowlist: cannot be read: " + detail);
                continue;
            }
            for (auto& finding : wire::read_allowlist(*text).findings) {
                found_.push_back({.file = file->path, .finding = std::move(finding)});
            }
        }
    }

    void try_pipelines(const config::Oidc& oidc) {
        for (std::size_t i = 0; i < oidc.issuers.size(); ++i) {
            const auto& path = oidc.issuers[i].pipelines_file;
            if (path.empty()) {
                continue;
            }
            const auto text = app::read_file(path, limits::kConfigBytesMax);
            if (!text) {
                const auto detail = inert(text.error().detail);
                note_at(pipelines_place(i), "oidc.issuers.pipelines: cannot be read: " + detail);
                continue;
            }
            for (auto& finding : wire::read_pipelines(*text).findings) {
                found_.push_back({.file = path, .finding = std::move(finding)});
            }
        }
    }

    void try_profile(const config::Levels& levels) {
        const auto profile = app::ladder_profile(levels);
        if (!profile) {
            note({"levels", "profile"}, inert(profile.error().detail));
        }
    }

private:
    void note(std::initializer_list<std::string_view> keys, std::string message) {
        const auto* node = &root_;
        Place place;
        for (const auto key : keys) {
            node = node->find(key);
            if (node == nullptr) {
                break;
            }
            place = node->at;
        }
        note_at(place, std::move(message));
    }

    void note_at(Place place, std::string message) {
        found_.push_back(
            {.file = file_,
             .finding =
                 {.severity = domain::Severity::error,
                  .line = place.line,
                  .column = place.column,
                  .message = std::move(message)}}
        );
    }

    Place allowlist_place(std::size_t upstream) const {
        const auto* list = root_.find("upstreams");
        if (list == nullptr || upstream >= list->children.size()) {
            return {};
        }
        const auto* value = list->children[upstream].find("allowlist");
        return value == nullptr ? list->at : value->at;
    }

    Place pipelines_place(std::size_t issuer) const {
        const auto* oidc = root_.find("oidc");
        const auto* list = oidc == nullptr ? nullptr : oidc->find("issuers");
        if (list == nullptr || issuer >= list->children.size()) {
            return {};
        }
        const auto* value = list->children[issuer].find("pipelines");
        return value == nullptr ? list->at : value->at;
    }

    std::string file_;
    const Node& root_;
    std::vector<Found>& found_;
};

} // namespace

Tally tally_of(const std::vector<Found>& found) {
    Tally tally;
    for (const auto& one : found) {
        ++(one.finding.severity == domain::Severity::error ? tally.errors : tally.warnings);
    }
    return tally;
}

std::string to_text(const Tally& tally) {
    return fmt::format("{}, {}", plural(tally.errors, "error"), plural(tally.warnings, "warning"));
}

Checkup check_config(const std::string& path, CheckupDepth depth) {
    Checkup checkup;
    const auto surroundings = app::real_surroundings();
    const auto text = surroundings.read_file(path); // once: it may be a pipe
    if (!text) {
        const auto detail = fmt::format("cannot be read: {}", inert(text.error().detail));
        checkup.usable = false;
        checkup.found.push_back({.file = path, .finding = {.message = detail}});
        return checkup;
    }
    const auto folder = std::filesystem::path(path).parent_path().string();
    auto reading = config::read_config(*text, folder, surroundings);
    for (auto& finding : reading.findings) {
        checkup.found.push_back({.file = path, .finding = std::move(finding)});
    }
    wire::yaml::Findings told_already;
    const auto root = wire::yaml::read(*text, told_already);
    checkup.usable = root.has_value();
    if (!root || !reading.config) {
        return checkup;
    }
    Trial trial(path, *root, checkup.found);
    if (depth == CheckupDepth::everything) {
        trial.try_store(reading.config->store);
        trial.try_allowlists(reading.config->upstreams);
        if (reading.config->oidc) {
            trial.try_pipelines(*reading.config->oidc);
        }
        trial.try_profile(reading.config->levels);
    }
    if (trial.keys_work(*reading.config)) {
        checkup.config = std::move(reading.config);
    }
    return checkup;
}

} // namespace baton::program
