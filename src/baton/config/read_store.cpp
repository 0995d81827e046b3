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
        return values.path(Config{}.sqlite_path);
    }
    return read_store(*node, values);
}

} // namespace

std::optional<std::string> read_store(const yaml::Node& node, Values& values) {
    constexpr std::string_view kSqlite = "sqlite:";
    const auto store = values.text(node, "store");
    if (!store) {
        return std::nullopt;
    }
    if (store->starts_with("postgres://") || store->starts_with("postgresql://")) {
        values.note(node, "store: PostgreSQL is not in this version: use sqlite:PATH");
        return std::nullopt;
    }
    const auto path = std::string_view(*store).substr(std::min(kSqlite.size(), store->size()));
    if (!store->starts_with(kSqlite) || path.empty() || path.starts_with("//") ||
        path.starts_with(':')) {
        values.note(node, "store: write sqlite:PATH, for example sqlite:baton.db");
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
