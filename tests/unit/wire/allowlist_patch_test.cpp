#include "baton/wire/allowlist_patch.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "unit/wire/applied_patch.hpp"

namespace baton::wire {

namespace {

using domain::Level;
using test::applied;

RepoName repo(std::string_view name) {
    return *RepoName::parse(name);
}

struct Case {
    const char* name;
    const char* before;
    const char* who;
    Level to;
    const char* after;
};

constexpr Case kCases[] = {
    {"a name moves to the end of the other list, its comments with it",
     "# ours\nL1:\n  - a/one\n  # since May\n  - a/two   # slow\n\nL2:\n  - b/one: [bob]\n\nL3:\n",
     "a/two",
     Level::l2,
     "# ours\nL1:\n  - a/one\n\nL2:\n  - b/one: [bob]\n  # since May\n  - a/two   # slow\n\nL3:\n"},
    {"what stands above the first entry speaks of the list and stays",
     "L1:\n  # new ones\n  - a/one\nL2:\n  - b/one\n",
     "a/one",
     Level::l2,
     "L1:\n  # new ones\nL2:\n  - b/one\n  - a/one\n"},
    {"a mapping moves whole, with what its own list had as indentation",
     "L2:\n- a/one:\n    oncalls: [ann] # always\n    # a note inside\n    events:\n    - nightly\n"
     "L3:\n    - b/one: {device: gpu}\n# the end\n",
     "a/one",
     Level::l3,
     "L2:\nL3:\n    - b/one: {device: gpu}\n    - a/one:\n        oncalls: [ann] # always\n"
     "        # a note inside\n        events:\n        - nightly\n# the end\n"},
    {"an empty level gets its first entry",
     "L1:\n  - a/one: ann, bob\nL2: []  # nobody yet\nL3:\n",
     "a/one",
     Level::l2,
     "L1:\nL2:  # nobody yet\n  - a/one: ann, bob\nL3:\n"},
    {"a level that is missing is made, in its place",
     "L1:\n  - a/one\n  - a/two\nL4:\n  - d/one: {oncalls: [x]}\n",
     "a/two",
     Level::l2,
     "L1:\n  - a/one\nL2:\n  - a/two\nL4:\n  - d/one: {oncalls: [x]}\n"},
    {"a level that is missing is made above the first",
     "# Who is called.\nL2:\n  - a/one\n",
     "a/one",
     Level::l1,
     "# Who is called.\nL1:\n  - a/one\nL2:\n"},
    {"under its device the dash falls away",
     "L2:\n  - a/one:\n      device: npu\n      oncalls: [ann]\n"
     "L3:\n  npu:\n    c/one: [cid]\n  gpu:\n    c/two: [cid]\n",
     "a/one",
     Level::l3,
     "L2:\nL3:\n  npu:\n    c/one: [cid]\n    a/one:\n      device: npu\n      oncalls: "
     "[ann]\n  gpu:\n    c/two: [cid]\n"},
    {"a device that is new gets its own lines",
     "L2:\n  - a/one: {device: tpu, oncalls: [ann]}  # mine\nL3:\n  npu:\n    c/one: [cid]\n",
     "a/one",
     Level::l3,
     "L2:\nL3:\n  npu:\n    c/one: [cid]\n  tpu:\n    a/one: {device: tpu, oncalls: [ann]}  # "
     "mine\n"},
    {"from under its device it takes the device along",
     "L3:\n  npu: # racks\n    c/one: [cid]  # c\n  gpu:\n    c/two: 'dan, eve'\nL4:\n  - d/one: "
     "[x]\n",
     "c/one",
     Level::l4,
     "L3:\n  # racks\n  gpu:\n    c/two: 'dan, eve'\nL4:\n  - d/one: [x]\n  # c\n  - c/one: "
     "{device: npu, oncalls: [cid]}\n"},
    {"from device to device it stays as it is",
     "L3:\n  npu:\n    c/one:\n      oncalls: [cid]\n    c/two:\nL4:\n  npu:\n    d/one: [x]\n",
     "c/one",
     Level::l4,
     "L3:\n  npu:\n    c/two:\nL4:\n  npu:\n    d/one: [x]\n    c/one:\n      oncalls: [cid]\n"},
    {"lists in brackets are opened up",
     "L1: [a/one, 'a/two': [ann]]  # all of them\nL2: [b/one, {b/two: {device: npu}}]\n",
     "a/two",
     Level::l2,
     "L1:  # all of them\n  - a/one\nL2:\n  - b/one\n  - b/two: {device: npu}\n  - a/two: "
     "[ann]\n"},
    {"a file without a last line end gets one",
     "L1:\n  - a/one\n  - a/two\nL2:\n  - b/one",
     "a/one",
     Level::l2,
     "L1:\n  - a/two\nL2:\n  - b/one\n  - a/one\n"},
    {"line ends stay as they are",
     "L1:\r\n  - a/one\r\nL2:\r\n  - b/one\r\n",
     "a/one",
     Level::l2,
     "L1:\r\nL2:\r\n  - b/one\r\n  - a/one\r\n"},
    {"a byte order mark stays first",
     "\xEF\xBB\xBFL1:\n  - a/one\nL2:\n  - b/one\n",
     "a/one",
     Level::l2,
     "\xEF\xBB\xBFL1:\nL2:\n  - b/one\n  - a/one\n"},
    {"a byte order mark goes over to the line that is first now",
     "\xEF\xBB\xBFL1: [a/one]\nL2:\n  - b/one\n",
     "a/one",
     Level::l2,
     "\xEF\xBB\xBFL1:\nL2:\n  - b/one\n  - a/one\n"},
    {"a document has an end",
     "---\nL1:\n  - a/one\nL2:\n  - b/one\n...\n",
     "a/one",
     Level::l2,
     "---\nL1:\nL2:\n  - b/one\n  - a/one\n...\n"},
    {"one in braces keeps them",
     "L1:\n  - {a/one: {oncalls: [ann],\n     events: [nightly]}}\nL2:\n  - b/one\n",
     "a/one",
     Level::l2,
     "L1:\nL2:\n  - b/one\n  - {a/one: {oncalls: [ann],\n     events: [nightly]}}\n"},
};

TEST(AllowlistPatch, MovesOneEntryAndLeavesTheRest) {
    for (const auto& c : kCases) {
        SCOPED_TRACE(c.name);
        const auto patch = patch_level(c.before, repo(c.who), c.to, "list.yml");
        ASSERT_TRUE(patch) << patch.error().detail;
        EXPECT_EQ(patch->text, c.after);
        EXPECT_EQ(applied(c.before, patch->diff), c.after) << patch->diff;
    }
}

TEST(AllowlistPatch, IsAUnifiedDiff) {
    const auto patch = patch_level(
        "# 1\n# 2\n# 3\n# 4\nL1:\n  - a/one\n  - a/two\n  - a/three\n  - a/four\n  - a/five\n"
        "  - a/six\n  - a/seven\n  - a/eight\nL2:\n  - b/one",
        repo("A/One"),
        Level::l2,
        "ci/allowlist.yml"
    );
    ASSERT_TRUE(patch) << patch.error().detail;
    EXPECT_EQ(
        patch->diff,
        "--- a/ci/allowlist.yml\n+++ b/ci/allowlist.yml\n"
        "@@ -3,7 +3,6 @@\n # 3\n # 4\n L1:\n-  - a/one\n   - a/two\n   - a/three\n   - a/four\n"
        "@@ -12,4 +11,5 @@\n   - a/seven\n   - a/eight\n L2:\n-  - b/one\n\\ No newline at end of "
        "file\n+  - b/one\n+  - a/one\n"
    );
}

TEST(AllowlistPatch, RefusesWhatItCannotDo) {
    const struct {
        const char* name;
        const char* text;
        const char* who;
        Level to;
        Errc code;
        const char* says;
    } cases[] = {
        {"a broken file",
         "L1:\n  - a\n",
         "a/one",
         Level::l2,
         Errc::invalid,
         "the list cannot be read: list.yml:2:5: error: "},
        {"nobody",
         "L1:\n  - a/one\n",
         "a/two",
         Level::l2,
         Errc::not_found,
         "a/two is not in the list"},
        {"no move",
         "L1:\n  - a/one\n",
         "a/one",
         Level::l1,
         Errc::conflict,
         "a/one stands at L1 already"},
        {"one pair of braces",
         "{L1: [a/one]}\n",
         "a/one",
         Level::l2,
         Errc::invalid,
         "the whole file is written in braces"},
        {"no device",
         "L2:\n  - a/one\nL3:\n  npu:\n    c/one: [cid]\n",
         "a/one",
         Level::l3,
         Errc::invalid,
         "L3 lists its repositories by device, and a/one names none: give it a device first"},
        {"a name that stands below its dash, with a key that only a person sees through",
         "L1:\n  -\n    ? a/one\n    : [ann]\nL2:\n  - b/one\n? L3\n: - c/one\n",
         "a/one",
         Level::l2,
         Errc::invalid,
         "a/one is written in a way that only a person can move: see line 3 of the list"},
    };

    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto patch = patch_level(c.text, repo(c.who), c.to, "list.yml");
        ASSERT_FALSE(patch) << patch->text;
        EXPECT_EQ(patch.error().code, c.code);
        EXPECT_EQ(patch.error().detail.substr(0, std::string_view(c.says).size()), c.says);
    }
}

} // namespace
} // namespace baton::wire
