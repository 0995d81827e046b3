#include "baton/wire/allowlist.hpp"
#include "baton/wire/allowlist_patch.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unit/wire/applied_patch.hpp"

namespace baton::wire {

namespace {

using domain::Level;
using test::applied;
using test::lines_of;

int below(int bound) { // at all sizes: a small case of RapidCheck's would be an empty list
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, bound));
}

std::string any_of(std::vector<std::string> choices) {
    return *rc::gen::elementOf(std::move(choices));
}

std::string any_comment() {
    return any_of({"", "", "  # it's so", "  # \"quoted: [", " #: - x/y"});
}

/// The value of an entry, as a block under it or on its line.
std::string any_value(std::size_t indent, const std::string& device) {
    const auto key = std::string(indent, ' ');
    const auto named = device.empty() ? "" : fmt::format("device: {}, ", device);
    const auto named_line = device.empty() ? "" : fmt::format("{}device: {}\n", key, device);
    if (device.empty() && *rc::gen::arbitrary<bool>()) {
        return any_of({
            " [ann, bob]" + any_comment() + "\n",
            " ann, bob" + any_comment() + "\n",
            " '@ann'\n",
            any_comment() + "\n",
            " [ann,\n" + key + "bob]\n",
            "\n" + key + "- ann\n" + key + "# more\n" + key + "- bob\n",
        });
    }
    return any_of({
        fmt::format(" {{{}oncalls: [ann]}}{}\n", named, any_comment()),
        fmt::format("{}\n{}{}events: [nightly]\n", any_comment(), named_line, key),
        fmt::format(
            "\n{0}# inside\n\n{1}{0}pause:\n{0}  until: 2026-12-24\n{0}  reason: \"a # b\"\n",
            key,
            named_line
        ),
        fmt::format(
            "\n{1}{0}required_jobs:\n{0}- 'a: b'\n{0}- c{2}\n", key, named_line, any_comment()
        ),
    });
}

/// Blank lines and comments that may stand between entries.
std::string any_gap(std::size_t indent) {
    const auto blanks = std::string(indent, ' ');
    return any_of(
        {"",
         "",
         "",
         "\n",
         blanks + "# about the next\n",
         "\n" + blanks + "# a group\n",
         "# far out\n"}
    );
}

std::string any_level(Level level, int& number) {
    auto out = fmt::format("{}:{}\n", name_of(level), any_comment());
    const auto count = below(4);
    const auto name = [&number] {
        ++number;
        return fmt::format("org{}/repo-{}", number % 2, number);
    };
    const auto form = below(4);
    if (count > 0 && form == 0) { // in brackets
        std::string inside;
        for (int i = 0; i < count; ++i) {
            inside += (inside.empty() ? "" : ", ") + name() +
                      any_of({"", ": [ann]", ": {device: npu, events: [nightly]}"});
        }
        return fmt::format("{}: [{}]{}\n", name_of(level), inside, any_comment());
    }
    if (count > 0 && form == 1) { // by device
        for (int i = 0; i < count; ++i) {
            out += fmt::format("{}  dev{}:{}\n", any_gap(2), i, any_comment());
            for (int entries = 1 + below(2); entries > 0; --entries) {
                out += fmt::format("{}    {}:{}", any_gap(4), name(), any_value(6, ""));
            }
        }
        return out;
    }
    const auto indent = static_cast<std::size_t>(below(4));
    const auto device = any_of({"", "npu", "dev1"});
    for (int i = 0; i < count; ++i) {
        const bool bare = *rc::gen::arbitrary<bool>();
        out += fmt::format(
            "{}{:{}}- {}{}",
            any_gap(indent),
            "",
            indent,
            name(),
            bare ? any_comment() + "\n" : ":" + any_value(indent + 4, device)
        );
    }
    return out;
}

std::multiset<std::string> comments_of(std::string_view text) {
    std::multiset<std::string> comments;
    for (const auto& line : lines_of(text)) {
        for (const auto* known :
             {"# it's so",
              "# \"quoted: [",
              "#: - x/y",
              "# more",
              "# inside",
              "# about the next",
              "# a group",
              "# far out"}) {
            if (line.find(known) != std::string::npos) {
                comments.insert(known);
            }
        }
    }
    return comments;
}

RC_GTEST_PROP(AllowlistPatch, ChangesOneLevelAndLosesNothing, ()) {
    int number = 0;
    std::string text = any_of({"", "# head\n\n", "---\n"});
    for (const auto level : domain::kLevels) {
        if (below(5) > 0) {
            text += any_level(level, number) + any_of({"", "\n", "# between\n"});
        }
    }
    const auto reading = read_allowlist(text);
    RC_LOG() << text;
    RC_ASSERT(reading.allowlist.has_value());
    if (reading.allowlist->empty()) {
        return;
    }
    const auto& entries = reading.allowlist->downstreams();
    const auto& entry =
        entries.at(static_cast<std::size_t>(below(static_cast<int>(entries.size()))));
    auto to = domain::kLevels.at(static_cast<std::size_t>(below(3)));
    to = to == entry.level ? Level::l4 : to;

    const auto patch = patch_level(text, entry.repo, to, "list.yml");
    if (!patch) { // the one thing that needs a person here
        RC_LOG() << patch.error().detail;
        RC_ASSERT(patch.error().detail.find("give it a device first") != std::string::npos);
        RC_ASSERT(entry.device.empty());
        return;
    }
    RC_LOG() << patch->diff;
    const auto again = read_allowlist(patch->text);
    RC_ASSERT(again.allowlist.has_value());
    RC_ASSERT(again.allowlist->downstreams().size() == entries.size());
    for (const auto& before : entries) {
        auto after = *again.allowlist->find(before.repo);
        RC_ASSERT(after.level == (before.repo == entry.repo ? to : before.level));
        after.level = before.level;
        after.line = before.line;
        RC_ASSERT(after == before);
    }
    RC_ASSERT(comments_of(patch->text) == comments_of(text));
    RC_ASSERT(applied(text, patch->diff) == patch->text);
}

} // namespace
} // namespace baton::wire
