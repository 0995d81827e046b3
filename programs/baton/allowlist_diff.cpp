// baton allowlist diff OLD NEW, or --config FILE NEW [UPSTREAM]
//
// What changes for whom when one list takes the place of another, in the relay's terms rather than
// in lines of text.

#include "baton/domain/allowlist_diff.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/level.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/tools.hpp"
#include "baton/wire/allowlist.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "allowlist.hpp"
#include "command.hpp"
#include "print.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

struct DiffOptions {
    std::string first;  // OLD; with a store: NEW
    std::string second; // NEW; with a store: the upstream, if there are several
    StoreChoice store;
    bool json{false};
};

/// A list and what to call it.
struct Side {
    std::string name;
    domain::Allowlist list;
};

struct Comparison {
    Side before;
    Side after;
    bool after_is_blank{false};
    std::map<RepoName, std::size_t> pending; // of downstreams, when a store was looked at
};

struct KeyChange {
    std::string name;
    std::optional<std::string> before; // nullopt: at its default
    std::optional<std::string> after;
};

std::vector<wire::EntryKey> keys_of(const domain::Downstream* entry) {
    return entry == nullptr ? std::vector<wire::EntryKey>{}
                            : wire::keys_of(domain::normal_form(*entry));
}

std::optional<std::string>
value_in(const std::vector<wire::EntryKey>& keys, const std::string& name) {
    const auto found = std::ranges::find(keys, name, &wire::EntryKey::name);
    return found == keys.end() ? std::nullopt : std::optional(found->value);
}

std::vector<KeyChange> key_changes(const domain::AllowlistChange& change) {
    const auto before = keys_of(change.before);
    const auto after = keys_of(change.after);
    std::vector<KeyChange> changes;
    for (const auto& key : before) {
        const auto now = value_in(after, key.name);
        if (now != key.value) {
            changes.push_back({.name = key.name, .before = key.value, .after = now});
        }
    }
    for (const auto& key : after) {
        if (!value_in(before, key.name)) {
            changes.push_back({.name = key.name, .before = std::nullopt, .after = key.value});
        }
    }
    return changes;
}

std::size_t pending_of(const Comparison& both, const domain::AllowlistChange& change) {
    const auto found = both.pending.find(change.repo());
    return change.after != nullptr || found == both.pending.end() ? 0 : found->second;
}

std::string level_of(const domain::Downstream* entry) {
    return entry == nullptr ? "-" : std::string(name_of(entry->level));
}

// --- printing

std::string levels_text(const domain::AllowlistChange& change) {
    const auto before = level_of(change.before);
    const auto after = level_of(change.after);
    if (change.kind() == domain::ChangeKind::moved) {
        return fmt::format("{} → {}", before, after);
    }
    return change.after == nullptr ? before : after;
}

void print_change(const Comparison& both, const domain::AllowlistChange& change) {
    constexpr std::array<const char*, 5> kMarks{"", "+", "-", "~", "~"};
    fmt::print(
        "{} {} {}\n",
        kMarks.at(static_cast<std::size_t>(change.kind())),
        inert(change.repo().text()),
        levels_text(change)
    );
    for (const auto& key : key_changes(change)) {
        fmt::print(
            "    {}: {} → {}\n",
            key.name,
            inert(key.before.value_or("-")),
            inert(key.after.value_or("-"))
        );
    }
    auto meaning = domain::meaning_of(change);
    if (const auto pending = pending_of(both, change); pending > 0) {
        meaning.push_back(fmt::format("{} will be cancelled", counted(pending, "waiting dispatch"))
        );
    }
    if (!meaning.empty()) {
        fmt::print("    {}\n", fmt::join(meaning, "; "));
    }
}

std::string tally_text(const std::vector<domain::AllowlistChange>& changes) {
    std::string text;
    for (const auto kind :
         {domain::ChangeKind::added,
          domain::ChangeKind::removed,
          domain::ChangeKind::moved,
          domain::ChangeKind::changed}) {
        const auto count = std::ranges::count(changes, kind, &domain::AllowlistChange::kind);
        if (count > 0) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name_of(kind));
        }
    }
    return text;
}

void print_text(const Comparison& both, const std::vector<domain::AllowlistChange>& changes) {
    const auto sides = fmt::format("{} → {}", inert(both.before.name), inert(both.after.name));
    if (changes.empty()) {
        fmt::print("{}: the same for everybody\n", sides);
        return;
    }
    fmt::print("{}: {}\n\n", sides, tally_text(changes));
    for (const auto& change : changes) {
        print_change(both, change);
    }
}

boost::json::value json_or_null(const std::optional<std::string>& text) {
    return text ? json_text(*text) : boost::json::value(nullptr);
}

boost::json::object json_of(const Comparison& both, const domain::AllowlistChange& change) {
    boost::json::array keys;
    for (const auto& key : key_changes(change)) {
        keys.emplace_back(boost::json::object{
            {"key", key.name},
            {"before", json_or_null(key.before)},
            {"after", json_or_null(key.after)},
        });
    }
    boost::json::array meaning;
    for (const auto& sentence : domain::meaning_of(change)) {
        meaning.emplace_back(sentence);
    }
    const auto level = [](const domain::Downstream* entry) {
        return entry == nullptr ? boost::json::value(nullptr)
                                : boost::json::value(name_of(entry->level));
    };
    return {
        {"downstream", json_text(change.repo().text())},
        {"change", name_of(change.kind())},
        {"level_before", level(change.before)},
        {"level_after", level(change.after)},
        {"keys", std::move(keys)},
        {"meaning", std::move(meaning)},
        {"pending_cancelled", pending_of(both, change)},
    };
}

void print_as_json(const Comparison& both, const std::vector<domain::AllowlistChange>& changes) {
    boost::json::array all;
    for (const auto& change : changes) {
        all.emplace_back(json_of(both, change));
    }
    print_json(boost::json::object{
        {"old", json_text(both.before.name)},
        {"new", json_text(both.after.name)},
        {"same", changes.empty()},
        {"changes", std::move(all)},
    });
}

// --- where the two lists come from

/// nullopt after saying why the file is of no use.
std::optional<wire::AllowlistReading> read_or_complain(const std::string& path) {
    auto file = lint_file(path);
    for (const auto& finding : file.reading.findings) {
        fmt::print(stderr, "{}\n", domain::to_text(finding, path));
    }
    if (!file.reading.allowlist) {
        complain(inert(path) + " cannot be compared: it would not come into force");
        return std::nullopt;
    }
    return std::move(file.reading);
}

/// The one that is meant; the refusal names those that there are.
Result<ports::AllowlistVersion>
chosen(std::vector<ports::AllowlistVersion> versions, const std::string& upstream) {
    if (versions.empty()) {
        return fail(Errc::not_found, "no allowlist was ever in force in this store");
    }
    if (upstream.empty() && versions.size() == 1) {
        return std::move(versions.front());
    }
    std::vector<std::string> names;
    for (auto& version : versions) {
        if (RepoName::parse(upstream) == version.upstream) {
            return std::move(version);
        }
        names.push_back(version.upstream.text());
    }
    return fail(
        Errc::not_found,
        fmt::format(
            "{}; this store has lists of: {}",
            upstream.empty() ? "say which upstream, after the file"
                             : fmt::format("no allowlist of {} was ever in force", upstream),
            fmt::join(names, ", ")
        )
    );
}

Result<Comparison> against_store(const DiffOptions& options, const std::string& path) {
    BATON_TRY(auto versions, store::allowlists_in_force(path));
    BATON_TRY(auto version, chosen(std::move(versions), options.second));
    auto reading = wire::read_allowlist(version.text);
    if (!reading.allowlist) {
        return fail(Errc::invalid, "the list in force cannot be read by this version of Baton");
    }
    Comparison both;
    both.before = {
        .name = fmt::format("{} in force", version.upstream.text()),
        .list = *std::move(reading.allowlist)
    };
    BATON_TRY(both.pending, store::pending_by_downstream(path, version.upstream));
    return both;
}

std::optional<Comparison> compared(const DiffOptions& options) {
    const bool with_store = !options.store.config.empty() || !options.store.store.empty();
    std::optional<Comparison> both;
    if (with_store) {
        const auto path = store_path(options.store);
        if (!path) {
            return std::nullopt;
        }
        auto begun = against_store(options, *path);
        if (!begun) {
            complain(inert(begun.error().detail));
            return std::nullopt;
        }
        both = *std::move(begun);
    } else if (options.second.empty()) {
        complain("say which two lists: OLD NEW, or --config FILE NEW");
        return std::nullopt;
    } else {
        auto before = read_or_complain(options.first);
        if (!before) {
            return std::nullopt;
        }
        both.emplace();
        both->before = {.name = options.first, .list = *std::move(before->allowlist)};
    }
    const auto& file = with_store ? options.first : options.second;
    auto after = read_or_complain(file);
    if (!after) {
        return std::nullopt;
    }
    both->after_is_blank = after->is_empty_document;
    both->after = {.name = file, .list = *std::move(after->allowlist)};
    return both;
}

int diff(const DiffOptions& options) {
    const auto both = compared(options);
    if (!both) {
        return Exit::unusable;
    }
    if (both->after_is_blank && !both->before.list.empty()) {
        complain(
            inert(both->after.name) +
            " is empty and would not come into force; write {} to list nobody on purpose"
        );
        return Exit::unusable;
    }
    const auto changes = domain::changes_between(both->before.list, both->after.list);
    if (options.json) {
        print_as_json(*both, changes);
    } else {
        print_text(*both, changes);
    }
    return changes.empty() ? Exit::ok : Exit::failure;
}

} // namespace

void add_allowlist_diff(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<DiffOptions>();
    auto* command = group.add_subcommand("diff", "Say what changes for whom between two lists");
    command->add_option("OLD", options->first, "The list before; with a store: the new one")
        ->required()
        ->option_text(" ");
    command->add_option("NEW", options->second, "The list after; with a store: the upstream")
        ->option_text(" ");
    add_store_options(*command, options->store);
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(Compares what the lists mean: who comes, leaves or moves between levels, each key that changed, and
what that does. Order and spelling are no difference. With --config or --store the list in force is
compared with a file, and dispatches that would be cancelled are counted.

Examples:
  baton allowlist diff main.yml mine.yml
  baton allowlist diff --config /etc/baton/baton.yml mine.yml
  baton allowlist diff --store baton.db mine.yml pytorch/pytorch

Exit codes: 0 the same, 1 differences, 2 a list or the store cannot be used.)"
    );
    command->callback([options, &exit_code] { exit_code = diff(*options); });
}

} // namespace baton::program
