#include "baton/wire/criteria.hpp"

#include "baton/base/text.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/findings.hpp"
#include "baton/quality/readings.hpp"
#include "baton/wire/criteria_item.hpp"
#include "baton/wire/quality_fields.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_fields.hpp"
#include "baton/wire/yaml_findings.hpp"
#include "baton/wire/yaml_mapping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::wire {

namespace {

using quality::CriteriaSet;
using yaml::Choice;
using yaml::Findings;
using yaml::Kind;
using yaml::Mapping;
using yaml::Node;

constexpr yaml::Range kTotals{.least = 0, .most = 1000};
constexpr std::size_t kItemsMax = 200;
constexpr yaml::Range kRanks{.least = 0, .most = 20};
constexpr yaml::Range kPercent{.least = 0, .most = 100};

/// Goes through the tree once and notes everything it meets.
class Reader {
public:
    explicit Reader(Findings& findings)
        : findings_(findings) {}

    CriteriaSet take() { return std::move(set_); }

    void read_root(const Node& node) {
        Mapping root(node, "criteria", findings_);
        if (!root.ok()) {
            return;
        }
        check_schema(node, "cpq-criteria/1", findings_);
        root.find("schema");
        read_head(root);
        if (const auto* const sections = root.need("sections")) {
            each(*sections, "sections", [this](const Node& one) { read_section(one); });
        }
        if (const auto* const printed = root.find("printed")) {
            read_printed(*printed);
        }
        read_rules(root);
        if (const auto* const reserved = root.find("reserved")) {
            each(*reserved, "reserved", [this](const Node& one) { read_reserved(one); });
        }
        if (const auto* const items = root.need("items")) {
            each(*items, "items", [this](const Node& one) { read_one_item(one); });
            lint_size(*items);
        }
        if (const auto* const levels = root.need("levels")) {
            each(*levels, "levels", [this](const Node& one) { read_level(one); });
            lint_levels(*levels);
        }
        root.done();
    }

private:
    template <class Read> void each(const Node& list, std::string_view what, Read read) {
        if (list.kind != Kind::sequence) {
            findings_.error(
                list.at, fmt::format("{}: expected a list, found {}", what, name_of(list.kind))
            );
            return;
        }
        for (const auto& one : list.children) {
            read(one);
        }
    }

    void read_head(Mapping& root) {
        for (const auto& [key, field] :
             {std::pair{"set", &CriteriaSet::set}, std::pair{"version", &CriteriaSet::version}}) {
            set_.*field = root.needed_text(key);
            if ((set_.*field).find('/') != std::string::npos) {
                findings_.error(root.find(key)->at, fmt::format("{}: may hold no slash", key));
            }
        }
        set_.title = root.text("title");
        set_.text = root.text("text");
        if (const auto* const node = root.find("source")) {
            Mapping source(*node, "source", findings_);
            set_.source = {
                .repo = source.text("repo"),
                .pull = source.number("pr", {.least = 1, .most = 1'000'000'000}).value_or(0),
                .commit = source.text("commit"),
                .url = source.text("url")
            };
            source.done();
        }
        if (const auto* const node = root.find("parameters")) {
            if (node->kind != Kind::mapping) {
                findings_.error(node->at, "parameters: expected a mapping of names to texts");
            }
            for (const auto& child : node->children) {
                if (auto text = yaml::text_of(child, "parameters", findings_)) {
                    set_.parameters.emplace(child.key, *std::move(text));
                }
            }
        }
    }

    void read_section(const Node& node) {
        Mapping section(node, "section", findings_);
        quality::Section read{
            .id = section.needed_text("id"),
            .title = section.needed_text("title"),
            .printed = std::nullopt,
            .at = position_of(node.at)
        };
        section.done();
        if (find_section(read.id) != nullptr) {
            findings_.error(node.at, fmt::format("section {} stands twice", inert(read.id)));
            return;
        }
        set_.sections.push_back(std::move(read));
    }

    quality::Section* find_section(std::string_view id) {
        const auto found = std::ranges::find(set_.sections, id, &quality::Section::id);
        return found == set_.sections.end() ? nullptr : &*found;
    }

    std::string unknown_section(std::string_view id) {
        std::vector<std::string_view> known;
        for (const auto& section : set_.sections) {
            known.push_back(section.id);
        }
        return fmt::format(
            "no section is named \"{}\"{}", inert(id), yaml::did_you_mean(id, known)
        );
    }

    void read_printed(const Node& node) {
        Mapping printed(node, "printed", findings_);
        if (const auto total = printed.number("total", kTotals)) {
            set_.printed_total = static_cast<int>(*total);
            set_.printed_at = position_of(printed.find("total")->at);
        }
        if (const auto* const sections = printed.find("sections")) {
            if (sections->kind != Kind::mapping) {
                findings_.error(sections->at, "sections: expected a mapping of ids to totals");
            }
            for (const auto& child : sections->children) {
                const auto total = yaml::number_of(child, "printed", kTotals, findings_);
                auto* const section = find_section(child.key);
                if (section == nullptr) {
                    findings_.error(child.key_at, unknown_section(child.key));
                } else if (total) {
                    section->printed = static_cast<int>(*total);
                    section->at = position_of(child.at);
                }
            }
        }
        printed.done();
    }

    void read_rules(Mapping& root) {
        using quality::Base;
        using quality::ExemptPoints;
        using quality::Missing;
        using quality::Rounding;
        constexpr std::array<Choice<Base>, 2> kBases{
            {{.name = "printed", .value = Base::printed}, {.name = "rows", .value = Base::rows}}
        };
        constexpr std::array<Choice<Rounding>, 2> kRoundings{
            {{.name = "floor", .value = Rounding::floor},
             {.name = "exact", .value = Rounding::exact}}
        };
        constexpr std::array<Choice<ExemptPoints>, 3> kExempt{{
            {.name = "exclude", .value = ExemptPoints::exclude},
            {.name = "credit", .value = ExemptPoints::credit},
            {.name = "zero", .value = ExemptPoints::zero},
        }};
        if (const auto* const node = root.find("threshold")) {
            Mapping threshold(*node, "threshold", findings_);
            set_.reading = quality::reading_of(
                threshold.choice<Base>("base", kBases).value_or(Base::printed),
                threshold.choice<Rounding>("round", kRoundings).value_or(Rounding::floor)
            );
            threshold.done();
        }
        if (const auto* const node = root.find("exempt")) {
            Mapping exempt(*node, "exempt", findings_);
            set_.exempt =
                exempt.choice<ExemptPoints>("points", kExempt).value_or(ExemptPoints::exclude);
            exempt.done();
        }
        if (const auto* const node = root.find("history")) {
            read_history(*node);
        }
    }

    void read_history(const Node& node) {
        using quality::Missing;
        constexpr std::array<Choice<Missing>, 3> kMissing{{
            {.name = "break", .value = Missing::break_pair},
            {.name = "carry", .value = Missing::carry},
            {.name = "fail", .value = Missing::fail},
        }};
        constexpr std::array<Choice<bool>, 1> kUnit{{{.name = "minor-release", .value = true}}};
        constexpr std::array<Choice<bool>, 1> kRule{{{.name = "clamp", .value = true}}};
        Mapping history(node, "history", findings_);
        set_.history.consecutive =
            static_cast<int>(history.number("consecutive", {.least = 1, .most = 10}).value_or(2));
        history.choice<bool>("unit", kUnit);
        history.choice<bool>("rule", kRule);
        set_.history.missing =
            history.choice<Missing>("missing", kMissing).value_or(Missing::break_pair);
        history.done();
    }

    void read_reserved(const Node& node) {
        Mapping reserved(node, "reserved", findings_);
        set_.reserved.push_back(
            {.id = reserved.needed_text("id"), .why = reserved.needed_text("why")}
        );
        reserved.done();
    }

    void read_one_item(const Node& node) {
        auto item = read_item(node, findings_);
        const auto [first, is_new] = ids_.emplace(item.id, node.at.line);
        if (!is_new) {
            findings_.error(
                node.at,
                fmt::format("item {} stands already in line {}", inert(item.id), first->second)
            );
        }
        if (!item.section.empty() && find_section(item.section) == nullptr) {
            findings_.error(node.at, unknown_section(item.section));
        }
        const auto reserved = std::ranges::find(set_.reserved, item.id, &quality::Reserved::id);
        if (reserved != set_.reserved.end()) {
            findings_.error(
                node.at,
                fmt::format("item {} is reserved: {}", inert(item.id), inert(reserved->why))
            );
        }
        set_.items.push_back(std::move(item));
    }

    /// What is weighed against each other has to stay weighable.
    void lint_size(const Node& node) {
        if (set_.items.size() > kItemsMax || set_.rows_total() > kTotals.most) {
            findings_.error(
                node.at,
                fmt::format("items: at most {}, of {} points in all", kItemsMax, kTotals.most)
            );
        }
    }

    void read_level(const Node& node) {
        Mapping mapping(node, "level", findings_);
        quality::Level level{.name = mapping.needed_text("name"), .at = position_of(node.at)};
        mapping.need("rank");
        level.rank = static_cast<int>(mapping.number("rank", kRanks).value_or(0));
        if (const auto* const require = mapping.need("require")) {
            level.require = read_requirement(*require);
        }
        if (const auto* const relay = mapping.find("relay")) {
            level.relay = read_relay_rule(*relay, findings_);
        }
        level.promise = mapping.text("promise");
        mapping.done();
        set_.levels.push_back(std::move(level));
    }

    quality::Requirement read_requirement(const Node& node) {
        Mapping mapping(node, "require", findings_);
        quality::Requirement require;
        require.all_priority = read_priority(mapping, "all_priority");
        if (const auto percent = mapping.number("percent", kPercent)) {
            require.percent = static_cast<int>(*percent);
        }
        if (const auto points = mapping.number("points", kTotals)) {
            require.points = static_cast<int>(*points);
        }
        require.items = mapping.texts("items");
        for (const auto& id : require.items) {
            if (set_.find(id) == nullptr) {
                findings_.error(node.at, fmt::format("require: no item is {}", inert(id)));
            }
        }
        mapping.done();
        return require;
    }

    void lint_levels(const Node& node) {
        std::set<std::string> names;
        int rank = static_cast<int>(set_.levels.size());
        for (const auto& level : set_.levels) {
            --rank;
            if (level.rank != rank) {
                findings_.error(
                    node.at, "levels: the best first, with ranks that fall by one down to 0"
                );
                return;
            }
            if (!names.insert(level.name).second) {
                findings_.error(node.at, fmt::format("level {} stands twice", inert(level.name)));
            }
        }
        if (set_.levels.empty()) {
            findings_.error(node.at, "levels: there are none");
            return;
        }
        const auto& lowest = set_.levels.back().require;
        if (lowest.percent || lowest.points || lowest.all_priority || !lowest.items.empty()) {
            findings_.error(node.at, "levels: that of rank 0 requires nothing");
        }
    }

    Findings& findings_;
    CriteriaSet set_;
    std::map<std::string, int> ids_; // with the line where each stands first
};

} // namespace

CriteriaReading read_criteria(std::string_view text) {
    Findings findings;
    Reader reader(findings);
    CriteriaReading reading;
    const auto root = yaml::read(text, findings);
    reading.is_yaml = root.has_value();
    if (root) {
        reader.read_root(*root);
    }
    const bool is_good = !findings.any_errors();
    reading.findings = coded(std::move(findings).take(), "C040");
    if (is_good) {
        auto set = reader.take();
        set.digest = crypto::sha256_hex(text);
        const auto checked = quality::check(set);
        reading.findings.insert(reading.findings.end(), checked.begin(), checked.end());
        std::ranges::sort(
            reading.findings,
            [](const quality::Finding& a, const quality::Finding& b) {
                return std::tie(a.at, a.code, a.message) < std::tie(b.at, b.code, b.message);
            }
        );
        if (!quality::has_errors(reading.findings)) {
            reading.set = std::move(set);
        }
    }
    return reading;
}

} // namespace baton::wire
