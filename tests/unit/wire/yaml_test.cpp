#include "baton/base/limits.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::wire::yaml {

namespace {

using domain::Finding;
using domain::Severity;

struct Outcome {
    std::optional<Node> root;
    std::vector<Finding> findings;
};

Outcome read_text(std::string_view text) {
    Findings findings;
    Outcome outcome{.root = read(text, findings), .findings = {}};
    outcome.findings = std::move(findings).take();
    return outcome;
}

TEST(Yaml, KeepsTextAndPlaces) {
    const auto [root, findings] = read_text("a: 1\nbé:\n  - 'x'\n  - {c: ~}\n");
    ASSERT_TRUE(findings.empty()) << findings.front().message;
    ASSERT_TRUE(root.has_value());
    ASSERT_EQ(root->kind, Kind::mapping);
    ASSERT_EQ(root->children.size(), 2U);
    const auto* a = root->find("a");
    ASSERT_NE(a, nullptr);
    EXPECT_EQ(a->kind, Kind::scalar);
    EXPECT_EQ(a->text, "1");
    EXPECT_FALSE(a->quoted);
    EXPECT_EQ(a->key_at, (Place{1, 1}));
    EXPECT_EQ(a->at, (Place{1, 4}));
    const auto* b = root->find("bé");
    ASSERT_NE(b, nullptr);
    ASSERT_EQ(b->kind, Kind::sequence);
    ASSERT_EQ(b->children.size(), 2U);
    EXPECT_TRUE(b->children[0].quoted);
    EXPECT_EQ(b->children[0].at, (Place{3, 5}));
    const auto* c = b->children[1].find("c");
    ASSERT_NE(c, nullptr);
    EXPECT_EQ(c->kind, Kind::null);
    EXPECT_EQ(root->find("nobody"), nullptr);
}

TEST(Yaml, CountsColumnsInCharacters) {
    const auto [root, findings] = read_text("日本: 語\n");
    ASSERT_TRUE(root.has_value());
    ASSERT_EQ(root->children.size(), 1U);
    EXPECT_EQ(root->children[0].at, (Place{1, 5}));
}

TEST(Yaml, TakesAFileWithoutContentAsNothing) {
    for (const std::string_view text :
         {"", "\n\n", "# a comment\n", "---\n", "~", "null\n", "\xEF\xBB\xBF"}) {
        SCOPED_TRACE(text);
        const auto [root, findings] = read_text(text);
        ASSERT_TRUE(root.has_value());
        EXPECT_EQ(root->kind, Kind::null);
        EXPECT_TRUE(findings.empty());
    }
    EXPECT_EQ(read_text("{}").root->kind, Kind::mapping);
}

TEST(Yaml, PointsAtTheDashOrColonWhereAValueIsMissing) {
    const auto [list, more] = read_text("é: [x]\nlist:\n  - x\n  -   \n\n\nlast:\n");
    ASSERT_TRUE(list.has_value());
    EXPECT_EQ(list->find("list")->children[1].at, (Place{4, 3}));
    EXPECT_EQ(list->find("last")->at, (Place{7, 5}));
    const auto [flow, none] = read_text("{a: ~, b: null, é, d: }");
    ASSERT_TRUE(flow.has_value());
    EXPECT_EQ(flow->find("a")->at, (Place{1, 5}));
    EXPECT_EQ(flow->find("b")->at, (Place{1, 11}));
    EXPECT_EQ(flow->find("d")->at, (Place{1, 21}));
}

struct FaultCase {
    std::string_view name;
    std::string_view text;
    Place at;
    std::string_view message; // a part of it
    bool tree;
};

constexpr std::array kFaults{
    FaultCase{
        "a key twice",
        "a: 1\nb: 2\na: 3\n",
        {3, 1},
        "\"a\" stands twice in this mapping, first in line 1",
        true
    },
    FaultCase{
        "a key twice in braces", "x: {npu: 1, npu: 2}", {1, 13}, "\"npu\" stands twice", true
    },
    FaultCase{"an alias", "a: &x [1]\nb: *x\n", {2, 4}, "aliases", true},
    FaultCase{"an anchor", "a: &x [1]\n", {1, 4}, "anchors (&x)", true},
    FaultCase{"a merge key", "a:\n  <<: {b: 1}\n", {2, 3}, "merge keys", true},
    FaultCase{"a tag", "a: !!int 3\n", {1, 4}, "tags", true},
    FaultCase{"a tag of one's own", "a: !mine {b: 1}\n", {1, 4}, "tags (!mine)", true},
    FaultCase{"a mapping as a key", "? {a: 1}\n: 2\n", {1, 3}, "a key has to be text", true},
    FaultCase{"no key", ": 2\n", {1, 1}, "a key has to be text", true},
    FaultCase{"a second document", "a: 1\n---\nb: 2\n", {2, 1}, "one document only", false},
    FaultCase{
        "a handle that nobody quoted", "a/b: [@alice, bob]\n", {1, 7}, "quote it: '@alice'", false
    },
    FaultCase{"the same as a plain value", "a/b: @alice\n", {1, 6}, "quote it: '@alice'", false},
    FaultCase{"a tab", "a:\n\tb: 1\n", {2, 3}, "use blanks", false},
    FaultCase{"two colons", "a: b: c\n", {1, 5}, "quote the text", false},
    FaultCase{"an open bracket", "a: [1, 2\nb: 3\n", {2, 2}, "bracket", false},
    FaultCase{"bad indentation", "a:\n  b: 1\n c: 2\n", {3, 2}, "indentation", false},
    FaultCase{"not UTF-8", "a: 1\nb: \xff\n", {2, 4}, "not UTF-8", false},
    FaultCase{
        "a control character", "a: 1\nb: \x04\nc: 1\n", {2, 4}, "control character \\x04", false
    },
};

TEST(Yaml, NamesEveryTrapWithItsPlace) {
    for (const auto& c : kFaults) {
        SCOPED_TRACE(c.name);
        const auto [root, findings] = read_text(c.text);
        EXPECT_EQ(root.has_value(), c.tree);
        const auto named = std::ranges::find_if(findings, [&c](const Finding& finding) {
            return finding.message.find(c.message) != std::string::npos;
        });
        ASSERT_NE(named, findings.end()) << (findings.empty() ? "" : findings.front().message);
        EXPECT_EQ(named->severity, Severity::error);
        EXPECT_EQ(named->line, c.at.line);
        EXPECT_EQ(named->column, c.at.column);
    }
}

TEST(Yaml, KeepsTheFirstOfTwoKeys) {
    const auto [root, findings] = read_text("a: 1\na: 2\n");
    ASSERT_TRUE(root.has_value());
    ASSERT_EQ(root->children.size(), 1U);
    EXPECT_EQ(root->children[0].text, "1");
    EXPECT_EQ(findings.size(), 1U);
}

TEST(Yaml, BoundsDepth) {
    const auto nested = [](std::size_t depth) {
        return std::string(depth, '[') + std::string(depth, ']');
    };
    EXPECT_TRUE(read_text(nested(limits::kYamlDepthMax)).root.has_value());
    EXPECT_FALSE(read_text(nested(limits::kYamlDepthMax + 1)).root.has_value());
    EXPECT_FALSE(read_text(nested(20'000)).root.has_value());
    EXPECT_FALSE(read_text(std::string(20'000, '[')).root.has_value());
}

TEST(Yaml, BoundsTheNumberOfValues) {
    std::string text = "[";
    for (std::size_t i = 0; i < limits::kYamlNodesMax; ++i) {
        text += "1,";
    }
    const auto [root, findings] = read_text(text + "]");
    EXPECT_FALSE(root.has_value());
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].message, "more than 100000 values");
}

TEST(Yaml, AnAliasBombIsJustAListOfFindings) {
    std::string text = "a: &a [x, x]\n";
    for (char c = 'b'; c <= 'z'; ++c) {
        text += std::string{c} + ": &" + c + " [*" + static_cast<char>(c - 1) + ", *" +
                static_cast<char>(c - 1) + "]\n";
    }
    EXPECT_FALSE(read_text(text).findings.empty());
}

TEST(Findings, AreBoundedAndSayHowManyAreLeftOut) {
    Findings findings;
    for (int i = 0; i < 250; ++i) {
        findings.warning({.line = 250 - i, .column = 1}, "w");
    }
    findings.error({.line = 1, .column = 1}, "e");
    EXPECT_TRUE(findings.any_errors());
    const auto taken = std::move(findings).take();
    ASSERT_EQ(taken.size(), limits::kFindingsMax);
    EXPECT_TRUE(std::ranges::is_sorted(taken.begin(), taken.end() - 1, {}, [](const Finding& f) {
        return f.line;
    }));
    EXPECT_EQ(taken.back().message, "152 more, not shown: mend these first");
    EXPECT_EQ(taken.back().severity, Severity::error) << "an error that is not shown is still one";
}

RC_GTEST_PROP(Yaml, AnyBytesGetAnAnswer, (const std::string& text)) {
    const auto outcome = read_text(text);
    RC_ASSERT(outcome.root.has_value() || domain::has_errors(outcome.findings));
}

RC_GTEST_PROP(Yaml, AnyHeapOfPunctuationGetsAnAnswer, ()) {
    const auto text = *rc::gen::container<std::string>(
        rc::gen::elementOf(std::string("[]{}:,-?&*!|>'\"%@`#~ \n\t\rab0\\"))
    );
    const auto outcome = read_text(text);
    RC_ASSERT(outcome.root.has_value() || domain::has_errors(outcome.findings));
}

} // namespace

} // namespace baton::wire::yaml
