// The YAML that downstreams take from this repository is read by other programs; here it is read
// strictly.

#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace baton::wire::yaml {
namespace {

namespace fs = std::filesystem;

std::optional<Node> shipped(const fs::path& path) {
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    Findings findings;
    auto tree = read(text, findings);
    for (const auto& finding : std::move(findings).take()) {
        ADD_FAILURE() << path << ":" << finding.line << ": " << finding.message;
    }
    EXPECT_TRUE(tree) << path;
    return tree;
}

std::vector<fs::path> actions() {
    std::vector<fs::path> all;
    for (const auto& entry : fs::directory_iterator(fs::path(BATON_SOURCE_DIR) / "actions")) {
        all.push_back(entry.path() / "action.yml");
    }
    return all;
}

/// Every `run` below, wherever it stands.
void expect_plain_scripts(const Node& node, const fs::path& path) {
    if (node.key == "run") {
        EXPECT_EQ(node.text.find("${{"), std::string::npos)
            << path << ":" << node.at.line << ": a value of an event could become a command";
    }
    for (const auto& child : node.children) {
        expect_plain_scripts(child, path);
    }
}

TEST(ShippedYaml, ActionsHaveWhatGithubWants) {
    EXPECT_EQ(actions().size(), 2);
    for (const auto& path : actions()) {
        SCOPED_TRACE(path);
        const auto action = shipped(path);
        ASSERT_TRUE(action);
        for (const auto* key : {"name", "description", "inputs", "outputs", "runs"}) {
            EXPECT_NE(action->find(key), nullptr) << key;
        }
        const auto* runs = action->find("runs");
        ASSERT_NE(runs, nullptr);
        ASSERT_NE(runs->find("using"), nullptr);
        EXPECT_EQ(runs->find("using")->text, "composite");
        for (const auto& step : runs->find("steps")->children) {
            EXPECT_NE(step.find("shell"), nullptr) << "a composite step names its shell";
        }
        for (const auto& input : action->find("inputs")->children) {
            EXPECT_NE(input.find("description"), nullptr) << input.key;
        }
        expect_plain_scripts(*action, path);
    }
}

TEST(ShippedYaml, TheReportActionTakesTheInputsOfPytorchsOwn) {
    const auto action = shipped(fs::path(BATON_SOURCE_DIR) / "actions/report/action.yml");
    ASSERT_TRUE(action);
    for (const auto* input :
         {"status",
          "conclusion",
          "delivery-id",
          "event-type",
          "test-results",
          "callback-url",
          "artifact-url",
          "max-time",
          "job-name",
          "failed-tests-detail",
          "triage-verdict"}) {
        EXPECT_NE(action->find("inputs")->find(input), nullptr) << input;
    }
}

TEST(ShippedYaml, WorkflowsAndTemplatesAreReadable) {
    for (const auto* name : {".github/workflows/relayed.yml", "integrations/gitlab/baton.yml"}) {
        const auto path = fs::path(BATON_SOURCE_DIR) / name;
        const auto tree = shipped(path);
        ASSERT_TRUE(tree);
        expect_plain_scripts(*tree, path);
    }
}

} // namespace
} // namespace baton::wire::yaml
