#include "baton/base/limits.hpp"
#include "baton/wire/allowlist.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace baton::wire {

namespace {

using domain::Downstream;
using domain::Finding;
using domain::Level;
using domain::Severity;
using namespace std::chrono_literals;

/// `L3 gamma/three npu ann,bob` for each entry: short enough to compare in a table.
std::string summary(const domain::Allowlist& list) {
    std::string out;
    for (const auto& entry : list.downstreams()) {
        std::string oncalls;
        for (const auto& oncall : entry.oncalls) {
            oncalls += (oncalls.empty() ? "" : ",") + oncall.text();
        }
        out += fmt::format(
            "{}{} {} {} {}",
            out.empty() ? "" : "; ",
            domain::name_of(entry.level),
            entry.repo.text(),
            entry.device.empty() ? "-" : entry.device,
            oncalls.empty() ? "-" : oncalls
        );
    }
    return out;
}

std::string texts(const std::vector<Finding>& findings) {
    std::string out;
    for (const auto& finding : findings) {
        out += domain::to_text(finding, "f") + "\n";
    }
    return out;
}

struct GoodCase {
    std::string_view name;
    std::string_view text;
    std::string_view summary;
};

constexpr std::array kGoodCases{
    GoodCase{
        "1: a full file",
        "L1: [acme/alpha]\nL2:\n  - beta/two\nL3:\n  npu:\n    gamma/three: [ann, bob]\n"
        "  xpu:\n    delta/four: []\nL4:\n  - eps/five: carl, dora\n",
        "L1 acme/alpha - -; L2 beta/two - -; L3 gamma/three npu ann,bob; L3 delta/four xpu -; "
        "L4 eps/five - carl,dora"
    },
    GoodCase{"2: an empty document", "", ""},
    GoodCase{"2: empty levels", "L1:\nL2: []\nL3: {}\n", ""},
    GoodCase{"3: unknown top-level keys", "version: 2\nL5: [x/y]\nL2: [a/b]\n", "L2 a/b - -"},
    GoodCase{"4: outer blanks and slashes", "L1: [\"/a/b/\", \" c/d \"]", "L1 a/b - -; L1 c/d - -"},
    GoodCase{"11: a device of digits", "L3: {310: {a/b: [x]}}", "L3 a/b 310 x"},
    GoodCase{"13: a list at L4", "L4: [{a/b: [ann, bob]}]", "L4 a/b - ann,bob"},
    GoodCase{"14: text at L3", "L3: {npu: {a/b: ann}}", "L3 a/b npu ann"},
    GoodCase{"15: quoted handles", "L2: [{a/b: ['@ann', \"@bob\"]}]", "L2 a/b - ann,bob"},
    GoodCase{"15: one quoted handle", "L2: [{a/b: '@ann'}]", "L2 a/b - ann"},
    GoodCase{"an empty mapping under a device", "L3: {npu: {}}", ""},
    GoodCase{"nothing after the colon", "L2:\n  - a/b:\n", "L2 a/b - -"},
    GoodCase{"an empty mapping of keys", "L2: [{a/b: {}}]", "L2 a/b - -"},
    GoodCase{"a team", "L2: [{a/b: '@acme/on-call'}]", "L2 a/b - acme/on-call"},
    GoodCase{"stray commas", "L2: [{a/b: 'ann,, bob,'}]", "L2 a/b - ann,bob"},
    GoodCase{
        "a device mapping at L1", "L1: {npu: {a/b: , c/d: [x]}}", "L1 a/b npu -; L1 c/d npu x"
    },
    GoodCase{"a device mapping at L4", "L4: {gpu: {a/b: {oncalls: x}}}", "L4 a/b gpu x"},
    GoodCase{"10: a list at L3", "L3: [{a/b: {device: npu, oncalls: [x]}}]", "L3 a/b npu x"},
    GoodCase{"keys set to nothing", "L2: [{a/b: {oncalls: , events: , device: }}]", "L2 a/b - -"},
    GoodCase{"the same device twice", "L3: {npu: {a/b: {device: npu}}}", "L3 a/b npu -"},
    GoodCase{
        "16: nightly only", "L2: [{n/only: {events: [nightly], oncalls: [ann]}}]", "L2 n/only - ann"
    },
};

TEST(AllowlistReading, TakesEveryFormAtEveryLevel) {
    for (const auto& c : kGoodCases) {
        SCOPED_TRACE(c.name);
        const auto reading = read_allowlist(c.text);
        ASSERT_TRUE(reading.allowlist.has_value()) << texts(reading.findings);
        EXPECT_EQ(summary(*reading.allowlist), c.summary);
    }
}

struct BadCase {
    std::string_view name;
    std::string_view text;
    int line;
    int column;
    std::string_view message; // a part of it
};

constexpr std::array kBadCases{
    BadCase{
        "5: no owner", "L1: [alone]", 1, 6, "\"alone\" is not a repository name: write owner/repo"
    },
    BadCase{
        "6: two keys",
        "L2:\n  - a/b: x\n    c/d: y\n",
        2,
        5,
        "exactly one repository, this one has 2 keys"
    },
    BadCase{"6: no key", "L2: [{}]", 1, 6, "this one has 0 keys"},
    BadCase{"7: a number", "L2: [7]", 1, 6, "\"7\" is not a repository name"},
    BadCase{"7: nothing", "L2:\n  -\n", 2, 3, "expected owner/repo, found nothing"},
    BadCase{"7: a list", "L2: [[a/b]]", 1, 6, "expected owner/repo, found a list"},
    BadCase{
        "8: listed twice",
        "L1: [a/b]\nL4: [{a/b: x}]",
        2,
        7,
        "a/b is listed already, at L1 in line 1"
    },
    BadCase{"9: listed twice in another spelling", "L1: [A/B]\nL2: [a/b]", 2, 6, "listed already"},
    BadCase{
        "10: a list under a device",
        "L3: {npu: [a/b]}",
        1,
        11,
        "expected its repositories as a mapping"
    },
    BadCase{"10: nothing under a device", "L3: {npu: }", 1, 6, "found nothing"},
    BadCase{"10: a blank device", "L3: {' ': {a/b: x}}", 1, 6, "device: is empty"},
    BadCase{
        "a repository where a device is expected", "L2: {a/b: [x]}", 1, 6, "write \"- a/b: …\""
    },
    BadCase{
        "12: a device twice",
        "L3:\n  npu: {a/b: x}\n  npu: {c/d: x}\n",
        3,
        3,
        "\"npu\" stands twice"
    },
    BadCase{"12: a level twice", "L1: [a/b]\nL1: [c/d]\n", 2, 1, "\"L1\" stands twice"},
    BadCase{"15: an unquoted handle in a list", "L2: [{a/b: [@ann]}]", 1, 13, "quote it: '@ann'"},
    BadCase{"15: an unquoted handle", "L2:\n  - a/b: @ann\n", 2, 10, "quote it: '@ann'"},
    BadCase{"17: push", "L2: [{a/b: {events: [push]}}]", 1, 21, "pull_request covers it"},
    BadCase{"17: no event", "L2: [{a/b: {events: []}}]", 1, 21, "events: is empty"},
    BadCase{
        "17: an event twice", "L2: [{a/b: {events: [nightly, nightly]}}]", 1, 31, "stands twice"
    },
    BadCase{
        "17: an unknown event",
        "L2: [{a/b: {events: [weekly]}}]",
        1,
        21,
        "\"weekly\" is not pull_request"
    },
    BadCase{"17: an event as text", "L2: [{a/b: {events: nightly}}]", 1, 21, "write [nightly]"},
    BadCase{
        "17: an event that is a mapping",
        "L2: [{a/b: {events: [{x: 1}]}}]",
        1,
        22,
        "expected text, found a mapping"
    },
    BadCase{"17: an unknown key", "L2: [{a/b: {owner: team}}]", 1, 13, "unknown key \"owner\""},
    BadCase{
        "a key with a slip", "L2:\n  - a/b:\n      oncall: [x]\n", 3, 7, "did you mean \"oncalls\"?"
    },
    BadCase{"18: the root is a list", "- a/b\n", 1, 1, "found a list"},
    BadCase{"18: a level is text", "L1: a/b", 1, 5, "write - a/b"},
    BadCase{"19: three parts", "L1: [a/b/c]", 1, 6, "\"a/b/c\" is not a repository name"},
    BadCase{
        "on-calls of the wrong kind", "L2: [{a/b: {oncalls: {x: 1}}}]", 1, 22, "oncalls: expected"
    },
    BadCase{
        "on-calls without a comma",
        "L2: [{a/b: ann bob}]",
        1,
        12,
        "\"ann bob\" is not a GitHub handle"
    },
    BadCase{
        "a device that no label can name",
        "L3: [{a/b: {device: 'n pu'}}]",
        1,
        21,
        "cannot end a label"
    },
    BadCase{
        "two devices",
        "L3: {npu: {a/b: {device: xpu}}}",
        1,
        26,
        "\"xpu\" stands under the device \"npu\""
    },
    BadCase{
        "a trigger", "L2: [{a/b: {trigger: labels}}]", 1, 22, "\"labels\" is not always or label"
    },
    BadCase{"a role", "L2: [{a/b: {role: boss}}]", 1, 19, "\"boss\" is not tester or publisher"},
    BadCase{"a trust", "L2: [{a/b: {trust: all}}]", 1, 20, "\"all\" is not any, approved or write"},
    BadCase{
        "a visibility",
        "L2: [{a/b: {visibility: hidden}}]",
        1,
        25,
        "\"hidden\" is not public or private"
    },
    BadCase{"none at once", "L2: [{a/b: {max_concurrent: 0}}]", 1, 29, "not a whole number from 1"},
    BadCase{"half a run", "L2: [{a/b: {max_per_day: 1.5}}]", 1, 26, "not a whole number from 1"},
    BadCase{
        "a time without a unit",
        "L2: [{a/b: {run_timeout: 90}}]",
        1,
        26,
        "run_timeout: \"90\" is not a duration"
    },
    BadCase{"no time at all", "L2: [{a/b: {start_timeout: 0s}}]", 1, 28, "more than 0"},
    BadCase{
        "a cron text of four fields", "L2: [{a/b: {schedule: '0 3 * *'}}]", 1, 23, "has 4 fields"
    },
    BadCase{"a pause without end", "L2: [{a/b: {pause: {reason: x}}}]", 1, 13, "add until"},
    BadCase{
        "a pause until never", "L2: [{a/b: {pause: {until: never}}}]", 1, 28, "write 2026-11-15"
    },
    BadCase{"a pause of the wrong kind", "L2: [{a/b: {pause: yes}}]", 1, 20, "expected a mapping"},
    BadCase{
        "a pause with a slip",
        "L2: [{a/b: {pause: {untill: 2026-11-15}}}]",
        1,
        21,
        "did you mean \"until\"?"
    },
    BadCase{
        "a control character",
        "L2: [{a/b: {required_jobs: [\"a\\nb\"]}}]",
        1,
        29,
        "control character"
    },
    BadCase{"an alias", "L1: &x [a/b]\nL2: *x\n", 2, 5, "aliases"},
    BadCase{"a merge key", "L2: [{a/b: {<<: {events: [nightly]}}}]", 1, 13, "merge keys"},
};

TEST(AllowlistReading, RefusesWithPlaceAndAdvice) {
    for (const auto& c : kBadCases) {
        SCOPED_TRACE(c.name);
        const auto reading = read_allowlist(c.text);
        EXPECT_FALSE(reading.allowlist.has_value());
        const auto named = std::ranges::find_if(reading.findings, [&c](const Finding& finding) {
            return finding.message.find(c.message) != std::string::npos;
        });
        ASSERT_NE(named, reading.findings.end()) << texts(reading.findings);
        EXPECT_EQ(named->severity, Severity::error);
        EXPECT_EQ(named->line, c.line) << named->message;
        EXPECT_EQ(named->column, c.column) << named->message;
    }
}

TEST(AllowlistReading, ReadsEveryKey) {
    const auto reading = read_allowlist(R"yaml(L4:
  - org/backend:
      oncalls: [fay]
      device: gpu
      events: [pull_request, periodic]
      required_jobs: [build, "test (gpu, 1)"]
      trigger: label
      push_refs: [main, "release/*"]
      paths: ["torch/**", setup.py]
      max_concurrent: 4
      max_per_day: 200
      schedule: "30 3 * * 1-5"
      role: publisher
      run_timeout: 4h
      start_timeout: 45m
      trust: approved
      visibility: private
      pause: {until: 2026-12-24, reason: moving house}
)yaml");
    ASSERT_TRUE(reading.allowlist.has_value()) << texts(reading.findings);
    EXPECT_EQ(texts(reading.findings), "");
    const Downstream expected{
        .repo = *RepoName::parse("org/backend"),
        .level = Level::l4,
        .device = "gpu",
        .oncalls = {Login("fay")},
        .events = {.pull_request = true, .nightly = false, .periodic = true},
        .required_jobs = {"build", "test (gpu, 1)"},
        .trigger = domain::Trigger::label,
        .push_refs = {"main", "release/*"},
        .paths = {"torch/**", "setup.py"},
        .max_concurrent = 4,
        .max_per_day = 200,
        .schedule = "30 3 * * 1-5",
        .role = domain::Role::publisher,
        .run_timeout = 4h,
        .start_timeout = 45min,
        .trust = domain::Trust::approved,
        .visibility = domain::Visibility::closed,
        .pause =
            domain::Pause{
                .until = *parse_rfc3339("2026-12-24T00:00:00Z"), .reason = "moving house"
            },
        .line = 2,
    };
    ASSERT_EQ(reading.allowlist->downstreams().size(), 1U);
    EXPECT_EQ(reading.allowlist->downstreams()[0], expected);
}

TEST(AllowlistReading, NotesEverythingInOnePass) {
    const auto reading = read_allowlist(
        "L1: [alone, a/b]\nL2:\n  - a/b: {owner: x, events: [push]}\nL3:\n  npu: [c/d]\n  npu: {}\n"
    );
    EXPECT_FALSE(reading.allowlist.has_value());
    EXPECT_EQ(reading.findings.size(), 6U) << texts(reading.findings);
    EXPECT_TRUE(std::ranges::is_sorted(reading.findings, {}, &Finding::line));
}

struct AdviceCase {
    std::string_view text;
    int line;
    std::string_view message;
};

constexpr std::array kAdvice{
    AdviceCase{"L3: [a/b]", 1, "without a device no label can ask for its check"},
    AdviceCase{"L1: [{a/b: {trigger: label, trust: any}}]", 1, "nothing is ever dispatched"},
    AdviceCase{"L1: [{a/b: {max_concurrent: 1}}]", 1, "consider trust: approved"},
    AdviceCase{"L4: [a/b]", 1, "nobody is on call"},
    AdviceCase{"L1: [x/y]\nL 2: [a/b]", 2, "\"L 2\" is left unread; did you mean \"L2\"?"},
    AdviceCase{"l1: [a/b]\nL2: [x/y]", 1, "did you mean \"L1\"?"},
    AdviceCase{"version: 3\nL1: [x/y]", 1, "unknown key \"version\" is left unread"},
    AdviceCase{"L1: [{a/b: {paths: [/torch]}}]", 1, "never matches"},
    AdviceCase{"L1: [{a/b: [ann, '@Ann']}]", 1, "Ann stands twice"},
};

TEST(AllowlistReading, WarnsOfWhatIsProbablyNotMeant) {
    for (const auto& c : kAdvice) {
        SCOPED_TRACE(c.text);
        const auto reading = read_allowlist(c.text);
        EXPECT_TRUE(reading.allowlist.has_value());
        ASSERT_EQ(reading.findings.size(), 1U) << texts(reading.findings);
        EXPECT_EQ(reading.findings[0].severity, Severity::warning);
        EXPECT_EQ(reading.findings[0].line, c.line);
        EXPECT_NE(reading.findings[0].message.find(c.message), std::string::npos)
            << reading.findings[0].message;
    }
}

TEST(AllowlistReading, TellsAnEmptyFileFromAnEmptyList) {
    EXPECT_TRUE(read_allowlist("").is_empty_document);
    EXPECT_TRUE(read_allowlist("# nobody\n").is_empty_document);
    EXPECT_TRUE(read_allowlist("---\n").is_empty_document);
    EXPECT_FALSE(read_allowlist("{}").is_empty_document);
    EXPECT_FALSE(read_allowlist("L1:\n").is_empty_document);
    EXPECT_TRUE(read_allowlist("{}").allowlist.has_value());
    for (const auto* nobody : {"", "{}", "L1:\nL2: []\n"}) {
        const auto findings = read_allowlist(nobody).findings;
        ASSERT_EQ(findings.size(), 1U) << nobody;
        EXPECT_EQ(findings.front().severity, domain::Severity::warning);
        EXPECT_EQ(findings.front().message, "lists nobody: no downstream gets anything");
    }
}

// The shape of the file that is in production: comments, dashes beyond ASCII, two list levels, one
// device.
TEST(AllowlistReading, TakesAFileOfTheProductionShapeWithoutAWord) {
    const auto reading = read_allowlist(R"(# Allowlist of the relay
#
#   L1 – Onboarding
#   L3 – Stable: [@oncall1,@oncall2] in a comment is no fault

L1:
  - acme-dev/pytorch-ci
  - Acme/pytorch-windows-ci
  - google_x/torch_tpu
  - acme/torch.rbln

L2:
  - Hat/pytorch-hat-ci
  - vllm/vllm

L3:
  # Test repositories.
  crcr-test:
    pytorch/crcr-test: [ann-b, can-bob, fffrog, jewel89, KarhouT, sub1]
)");
    ASSERT_TRUE(reading.allowlist.has_value());
    EXPECT_EQ(texts(reading.findings), "");
    EXPECT_EQ(reading.allowlist->downstreams().size(), 7U);
    const auto* test = reading.allowlist->find(*RepoName::parse("pytorch/crcr-test"));
    ASSERT_NE(test, nullptr);
    EXPECT_EQ(test->device, "crcr-test");
    EXPECT_EQ(test->oncalls.size(), 6U);
    EXPECT_EQ(test->line, 19);
}

TEST(AllowlistReading, BoundsTheFileAndTheList) {
    EXPECT_FALSE(
        read_allowlist(std::string(limits::kAllowlistBytesMax + 1, '#')).allowlist.has_value()
    );
    std::string text = "L1:\n";
    for (std::size_t i = 0; i < limits::kDownstreamsMax; ++i) {
        text += fmt::format("- a/r{}\n", i);
    }
    EXPECT_TRUE(read_allowlist(text).allowlist.has_value());
    const auto over = read_allowlist(text + "- a/x\n- a/y\n");
    EXPECT_FALSE(over.allowlist.has_value());
    EXPECT_EQ(texts(over.findings), "f:10002:3: error: more than 10000 repositories\n");
}

/// Any entry that a file can say.
Downstream any_entry(int number) {
    const auto word = [] {
        return *rc::gen::nonEmpty(rc::gen::container<std::string>(
            rc::gen::elementOf(std::string("abcXYZ019-_.: #'\"\\[]{},&*!|>%@`~?/é"))
        ));
    };
    const auto words = [&word] {
        std::set<std::string> all;
        for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
            // One letter at both ends: blanks there are dropped, and half an é is no text.
            auto text = word();
            std::erase_if(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
            all.insert("w" + text + "é");
        }
        return std::vector<std::string>(all.begin(), all.end());
    };
    const auto flag = [] { return *rc::gen::arbitrary<bool>(); };
    Downstream entry{.repo = *RepoName::parse(fmt::format("org-{}/Repo.{}", number % 3, number))};
    entry.level = *rc::gen::elementOf(std::vector(domain::kLevels.begin(), domain::kLevels.end()));
    entry.device = *rc::gen::element<std::string>("", "npu", "310", "null", "true", "g.p_u+");
    entry.oncalls = *rc::gen::elementOf(
        std::vector<std::vector<Login>>{{}, {Login("ann")}, {Login("a-b"), Login("null")}}
    );
    entry.events = {.pull_request = flag(), .nightly = flag(), .periodic = true};
    entry.required_jobs = words();
    entry.trigger = flag() ? domain::Trigger::label : domain::Trigger::always;
    entry.push_refs = words();
    entry.paths = words();
    entry.max_concurrent =
        *rc::gen::elementOf(std::vector<std::optional<int>>{std::nullopt, 1, 1'000'000});
    entry.max_per_day = *rc::gen::elementOf(std::vector<std::optional<int>>{std::nullopt, 7});
    entry.schedule = *rc::gen::element<std::string>("", "0 3 * * *", "*/5 1-3 * jan sun");
    entry.role = flag() ? domain::Role::publisher : domain::Role::tester;
    entry.run_timeout =
        *rc::gen::elementOf(std::vector<std::optional<Millis>>{std::nullopt, 90s, 1ms});
    entry.start_timeout =
        *rc::gen::elementOf(std::vector<std::optional<Millis>>{std::nullopt, 24h});
    entry.trust =
        *rc::gen::element(domain::Trust::any, domain::Trust::approved, domain::Trust::write);
    entry.visibility = flag() ? domain::Visibility::closed : domain::Visibility::open;
    if (flag()) {
        entry.pause = domain::Pause{
            .until = from_ms(1'800'000'000'123), .reason = flag() ? "why: \"so\"" : ""
        };
    }
    return entry;
}

RC_GTEST_PROP(AllowlistReading, ParseOfPrintGivesTheSame, ()) {
    std::vector<Downstream> entries;
    for (int i = *rc::gen::inRange(0, 6); i > 0; --i) {
        entries.push_back(any_entry(i));
    }
    std::ranges::sort(entries, [](const auto& a, const auto& b) {
        return std::pair(a.level, a.repo.key()) < std::pair(b.level, b.repo.key());
    });
    domain::Allowlist list;
    for (const auto& entry : entries) {
        RC_ASSERT(list.add(entry));
    }
    const auto printed = to_yaml(list);
    const auto reading = read_allowlist(printed);
    RC_LOG() << printed << texts(reading.findings);
    RC_ASSERT(reading.allowlist.has_value());
    RC_ASSERT(!reading.is_empty_document);
    domain::Allowlist again;
    for (auto entry : reading.allowlist->downstreams()) {
        entry.line = 0;
        RC_ASSERT(again.add(std::move(entry)));
    }
    RC_ASSERT(again == list);
    RC_ASSERT(to_yaml(again) == printed);
}

RC_GTEST_PROP(AllowlistReading, ADamagedFileGetsAnAnswer, ()) {
    std::string text(kGoodCases[0].text);
    for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
        const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
        text.replace(
            at,
            *rc::gen::inRange<std::size_t>(0, 4),
            *rc::gen::element<std::string>(
                "",
                ":",
                "- ",
                "[",
                "}",
                "\n",
                "&a ",
                "*a",
                "'",
                "<<: ",
                "@",
                "\xff",
                "\t",
                "? ",
                "!!x "
            )
        );
    }
    const auto reading = read_allowlist(text);
    RC_ASSERT(reading.allowlist.has_value() != domain::has_errors(reading.findings));
    RC_ASSERT(reading.findings.size() <= limits::kFindingsMax);
}

} // namespace

} // namespace baton::wire
