#include "baton/wire/allowlist.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/text.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/level.hpp"
#include "baton/wire/allowlist_entry.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_fields.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::wire {

namespace {

using domain::Downstream;
using domain::Level;
using yaml::Findings;
using yaml::Kind;
using yaml::Node;
using yaml::Place;

constexpr std::array<std::string_view, 4> kLevelNames{"L1", "L2", "L3", "L4"};

/// Where an entry stands and what the things around it say of it.
struct Position {
    Level level{Level::l1};
    std::string device;
    Place at;
};

/// Goes through the tree once and notes everything it meets.
class Reader {
public:
    explicit Reader(Findings& findings)
        : findings_(findings) {}

    domain::Allowlist take() { return std::move(list_); }

    void read_root(const Node& root) {
        if (root.kind == Kind::null) {
            return;
        }
        if (root.kind != Kind::mapping) {
            findings_.error(
                root.at,
                fmt::format(
                    "expected the levels L1 to L4 as a mapping, found {}", name_of(root.kind)
                )
            );
            return;
        }
        for (const auto& child : root.children) {
            if (const auto level = domain::level_named(child.key)) {
                read_level(*level, child);
            } else {
                findings_.warning(
                    child.key_at,
                    fmt::format(
                        "unknown key \"{}\" is left unread{}",
                        inert(child.key),
                        yaml::did_you_mean(child.key, kLevelNames)
                    )
                );
            }
        }
    }

private:
    void read_level(Level level, const Node& node) {
        switch (node.kind) {
        case Kind::null:
            break;
        case Kind::scalar:
            findings_.error(
                node.at,
                fmt::format(
                    "{}: expected a list of repositories, found text: write - {}",
                    name_of(level),
                    inert(node.text)
                )
            );
            break;
        case Kind::sequence:
            for (const auto& item : node.children) {
                read_item(level, item);
            }
            break;
        case Kind::mapping:
            for (const auto& child : node.children) {
                read_under_device(level, child);
            }
            break;
        }
    }

    /// `- owner/repo` or `- owner/repo: …`
    void read_item(Level level, const Node& item) {
        switch (item.kind) {
        case Kind::scalar:
            read_entry({.level = level, .device = {}, .at = item.at}, item.text, nullptr);
            break;
        case Kind::mapping:
            if (item.children.size() == 1) {
                const auto& entry = item.children.front();
                read_entry({.level = level, .device = {}, .at = entry.key_at}, entry.key, &entry);
            } else {
                findings_.error(
                    item.at,
                    fmt::format(
                        "an item names exactly one repository, this one has {} keys: start a new "
                        "\"- \" line for each, or indent what belongs to the first",
                        item.children.size()
                    )
                );
            }
            break;
        case Kind::null:
        case Kind::sequence:
            findings_.error(
                item.at, fmt::format("expected owner/repo, found {}", name_of(item.kind))
            );
            break;
        }
    }

    /// `device: {owner/repo: …}`
    void read_under_device(Level level, const Node& node) {
        if (node.key.find('/') != std::string::npos) {
            findings_.error(
                node.key_at,
                fmt::format(
                    "\"{0}\" stands where a device is expected: write \"- {0}: …\", or put it "
                    "under its device",
                    inert(node.key)
                )
            );
            return;
        }
        Node name{.kind = Kind::scalar, .at = node.key_at};
        name.text = node.key;
        Downstream holder;
        const bool named = read_device(name, holder, findings_);
        if (node.kind != Kind::mapping) {
            findings_.error(
                node.kind == Kind::null ? node.key_at : node.at,
                fmt::format(
                    "device \"{}\": expected its repositories as a mapping (owner/repo: [alice]), "
                    "found {}",
                    inert(node.key),
                    name_of(node.kind)
                )
            );
            return;
        }
        for (const auto& entry : node.children) {
            read_entry(
                {.level = level, .device = named ? holder.device : "", .at = entry.key_at},
                entry.key,
                &entry
            );
        }
    }

    void read_entry(const Position& position, std::string_view repo, const Node* value) {
        const auto name = read_repo(position.at, repo);
        Downstream entry{
            .repo = name.value_or(RepoName{}),
            .level = position.level,
            .device = position.device,
            .line = position.at.line,
        };
        if (value != nullptr && value->kind == Kind::mapping) {
            read_entry_keys(*value, entry, findings_);
        } else if (value != nullptr) {
            read_oncalls(*value, entry, findings_);
        }
        if (!name) {
            return;
        }
        const bool trust_named = value != nullptr && value->find("trust") != nullptr;
        advise(entry, position.at, trust_named);
        add(std::move(entry), position.at);
    }

    /// Blanks and slashes around a name are forgiven, as the production file's first reader does.
    std::optional<RepoName> read_repo(Place at, std::string_view text) {
        constexpr std::string_view kForgiven = " \t/";
        const auto first = text.find_first_not_of(kForgiven);
        const auto last = text.find_last_not_of(kForgiven);
        const auto bare = first == std::string_view::npos ? text.substr(0, 0)
                                                          : text.substr(first, last - first + 1);
        auto name = RepoName::parse(bare);
        if (!name) {
            findings_.error(at, name.error().detail);
            return std::nullopt;
        }
        return *std::move(name);
    }

    void add(Downstream entry, Place at) {
        if (const auto* first = list_.find(entry.repo)) {
            findings_.error(
                at,
                fmt::format(
                    "{} is listed already, at {} in line {}: a repository stands once",
                    entry.repo.text(),
                    name_of(first->level),
                    first->line
                )
            );
            return;
        }
        if (list_.downstreams().size() >= limits::kDownstreamsMax) {
            if (!std::exchange(full_, true)) {
                findings_.error(
                    at, fmt::format("more than {} repositories", limits::kDownstreamsMax)
                );
            }
            return;
        }
        list_.add(std::move(entry));
    }

    /// What is allowed and probably not meant.
    void advise(const Downstream& entry, Place at, bool trust_named) {
        if (entry.device.empty() && entry.trigger == domain::Trigger::label) {
            findings_.warning(
                at,
                fmt::format(
                    "{}: nothing is ever dispatched: trigger is label, and without a device no "
                    "label names it",
                    entry.repo.text()
                )
            );
        } else if (entry.device.empty() && entry.level == Level::l3) {
            findings_.warning(
                at,
                fmt::format(
                    "{}: without a device no label can ask for its check", entry.repo.text()
                )
            );
        }
        const bool scarce = entry.trigger == domain::Trigger::label || entry.max_concurrent;
        if (scarce && !trust_named) {
            findings_.warning(
                at,
                fmt::format(
                    "{}: scarce hardware is mostly self-hosted, and anybody's pull request runs "
                    "on it: consider trust: approved (or say trust: any)",
                    entry.repo.text()
                )
            );
        }
        if (entry.level == Level::l4 && entry.oncalls.empty()) {
            findings_.warning(
                at,
                fmt::format("{}: blocks merges, and nobody is on call for it", entry.repo.text())
            );
        }
    }

    Findings& findings_;
    domain::Allowlist list_;
    bool full_{false};
};

} // namespace

AllowlistReading read_allowlist(std::string_view text) {
    AllowlistReading reading;
    Findings findings;
    Reader reader(findings);
    if (text.size() > limits::kAllowlistBytesMax) {
        findings.error({}, fmt::format("longer than {} bytes", limits::kAllowlistBytesMax));
    } else if (const auto root = yaml::read(text, findings)) {
        reading.is_empty_document = root->kind == Kind::null;
        reader.read_root(*root);
    }
    if (!findings.any_errors()) {
        reading.allowlist = reader.take();
        if (reading.allowlist->empty()) {
            findings.warning({}, "lists nobody: no downstream gets anything");
        }
    }
    reading.findings = std::move(findings).take();
    return reading;
}

} // namespace baton::wire
