#include "baton/config/read_store.hpp"

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/config/config.hpp"
#include "baton/config/values.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::config {

namespace {

namespace yaml = wire::yaml;

/// The value that the file gives, or the default; nullopt with a finding.
std::optional<std::string> store_in(const yaml::Node& root, Values& values) {
    const auto* node = root.find("store");
    if (node == nullptr || node->kind == yaml::Kind::null) {
        return values.path(Config{}.store);
    }
    return read_store(*node, values);
}

} // namespace

bool carries_password(std::string_view url) {
    if (url.find("password=") != std::string_view::npos) {
        return true;
    }
    const auto user = url.substr(url.find("//") + 2);
    const auto place = user.substr(0, user.find('/'));
    const auto end = place.rfind('@');
    return end != std::string_view::npos &&
           place.substr(0, end).find(':') != std::string_view::npos;
}

std::optional<std::string> read_store(const yaml::Node& node, Values& values) {
    constexpr std::string_view kSqlite = "sqlite:";
    const auto store = values.text(node, "store");
    if (!store) {
        return std::nullopt;
    }
    if (store->starts_with("postgres://") || store->starts_with("postgresql://")) {
        if (node.kind == yaml::Kind::scalar && carries_password(*store)) {
            values.note(
                node,
                "store: a password does not belong into this file: write store: {env: NAME} or "
                "{file: PATH}, or leave it to PostgreSQL's password file"
            );
            return std::nullopt;
        }
        return store;
    }
    const auto path = std::string_view(*store).substr(std::min(kSqlite.size(), store->size()));
    if (!store->starts_with(kSqlite) || path.empty() || path.starts_with("//") ||
        path.starts_with(':')) {
        values.note(
            node,
            "store: write sqlite:PATH, for example sqlite:baton.db, or "
            "postgresql://USER@HOST/DATABASE"
        );
        return std::nullopt;
    }
    return values.path(path);
}

domain::Finding cannot_be_read(const Error& why) {
    return {
        .severity = domain::Severity::error,
        .message = fmt::format("cannot be read: {}", inert(why.detail))
    };
}

StorePathReading load_store_path(const std::string& path, const Surroundings& surroundings) {
    StorePathReading reading;
    const auto text = surroundings.read_file(path);
    if (!text) {
        reading.findings.push_back(cannot_be_read(text.error()));
        return reading;
    }
    yaml::Findings findings;
    if (const auto root = yaml::read(*text, findings)) {
        Values values(std::filesystem::path(path).parent_path(), surroundings, findings);
        reading.path = store_in(*root, values);
    }
    reading.findings = std::move(findings).take();
    if (domain::has_errors(reading.findings)) {
        reading.path.reset();
    }
    return reading;
}

} // namespace baton::config
