#include "baton/wire/profile.hpp"

#include "baton/base/assert.hpp"
#include "baton/domain/profile.hpp"
#include "baton/wire/profile_criterion.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_fields.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace baton::wire {

namespace {

using domain::Criterion;
using domain::Profile;
using yaml::Findings;
using yaml::Kind;
using yaml::Node;

constexpr std::int64_t kCountMax = 1'000'000;

struct ListKey {
    std::string_view name;
    std::vector<Criterion> Profile::* list;
};

constexpr std::array<ListKey, 7> kLists{{
    {.name = "to_l2", .list = &Profile::to_l2},
    {.name = "to_l3", .list = &Profile::to_l3},
    {.name = "to_l4", .list = &Profile::to_l4},
    {.name = "watch", .list = &Profile::watch},
    {.name = "demotion", .list = &Profile::demotion},
    {.name = "at_once", .list = &Profile::at_once},
    {.name = "restore", .list = &Profile::restore},
}};

template <class T> struct MoveKey {
    std::string_view name;
    T Profile::* field;
};

constexpr std::array<MoveKey<int>, 10> kNumbers{{
    {.name = "temporary_after", .field = &Profile::temporary_after},
    {.name = "restore_after", .field = &Profile::restore_after},
    {.name = "temporary_least", .field = &Profile::temporary_least},
    {.name = "slow_restore", .field = &Profile::slow_restore},
    {.name = "lower_after", .field = &Profile::lower_after},
    {.name = "lower_count", .field = &Profile::lower_count},
    {.name = "lower_window", .field = &Profile::lower_window},
    {.name = "raise_after", .field = &Profile::raise_after},
    {.name = "cool_down", .field = &Profile::cool_down},
    {.name = "silent_lower", .field = &Profile::silent_lower},
}};

constexpr std::array<MoveKey<std::size_t>, 2> kCounts{{
    {.name = "temporary_events", .field = &Profile::temporary_events},
    {.name = "frozen_least", .field = &Profile::frozen_least},
}};

constexpr std::array<MoveKey<double>, 3> kShares{{
    {.name = "excluded_max", .field = &Profile::excluded_max},
    {.name = "frozen_share", .field = &Profile::frozen_share},
    {.name = "unsent_max", .field = &Profile::unsent_max},
}};

bool is_more_better(const Criterion& criterion) {
    return criterion.comparison == domain::Comparison::at_least ||
           criterion.comparison == domain::Comparison::above;
}

/// Goes through the tree once and notes everything it meets.
class Reader {
public:
    explicit Reader(Findings& findings)
        : findings_(findings) {}

    Profile take() { return std::move(profile_); }

    void read_root(const Node& root) {
        if (root.kind != Kind::mapping) {
            findings_.error(
                root.at, fmt::format("expected a profile, found {}", name_of(root.kind))
            );
            return;
        }
        std::vector<std::string_view> known{"name", "version", "text", "quantiles", "moves"};
        for (const auto& key : kLists) {
            known.push_back(key.name);
        }
        yaml::refuse_unknown_keys(root, known, findings_);
        read_head(root);
        for (const auto& key : kLists) {
            if (const auto* list = root.find(key.name)) {
                read_list(*list, key);
            }
        }
        if (const auto* moves = root.find("moves")) {
            read_moves(*moves);
        }
        lint_windows(root);
        lint_band(root);
    }

private:
    void read_head(const Node& root) {
        for (const auto& [key, field] :
             {std::pair{"name", &Profile::name}, std::pair{"version", &Profile::version}}) {
            const auto* const node = root.find(key);
            if (node == nullptr) {
                findings_.error(root.at, fmt::format("{} is missing", key));
            } else if (auto text = yaml::text_of(*node, key, findings_)) {
                if (text->find('/') != std::string::npos) {
                    findings_.error(node->at, fmt::format("{}: may hold no slash", key));
                }
                profile_.*field = *std::move(text);
            }
        }
        if (const auto* text = root.find("text")) {
            profile_.text = yaml::text_of(*text, "text", findings_).value_or("");
        }
        constexpr std::array<yaml::Choice<domain::Quantiles>, 2> kHow{{
            {.name = "nearest_rank", .value = domain::Quantiles::nearest_rank},
            {.name = "compat", .value = domain::Quantiles::compat},
        }};
        if (const auto* how = root.find("quantiles")) {
            profile_.quantiles =
                yaml::choice_of<domain::Quantiles>(*how, "quantiles", kHow, findings_)
                    .value_or(profile_.quantiles);
        }
    }

    void read_list(const Node& node, const ListKey& key) {
        if (node.kind != Kind::sequence) {
            findings_.error(
                node.at,
                fmt::format(
                    "{}: expected a list of criteria, found {}", key.name, name_of(node.kind)
                )
            );
            return;
        }
        for (const auto& item : node.children) {
            auto criterion = read_criterion(item, findings_);
            if (!criterion) {
                continue;
            }
            const auto [first, is_new] = ids_.emplace(criterion->id, item.at.line);
            if (!is_new) {
                findings_.error(
                    item.at,
                    fmt::format("id {} stands already in line {}", criterion->id, first->second)
                );
            }
            (profile_.*key.list).push_back(*std::move(criterion));
        }
    }

    void read_moves(const Node& moves) {
        if (moves.kind != Kind::mapping) {
            findings_.error(
                moves.at, fmt::format("moves: expected a mapping, found {}", name_of(moves.kind))
            );
            return;
        }
        std::vector<std::string_view> known;
        const auto each = [&](const auto& keys, auto read) {
            for (const auto& key : keys) {
                known.push_back(key.name);
                if (const auto* node = moves.find(key.name)) {
                    if (const auto value = read(*node, key.name)) {
                        using Field = std::remove_reference_t<decltype(profile_.*key.field)>;
                        profile_.*key.field = static_cast<Field>(*value);
                    }
                }
            }
        };
        const auto number = [this](const Node& node, std::string_view what) {
            return yaml::number_of(node, what, {.least = 0, .most = kCountMax}, findings_);
        };
        each(kNumbers, number);
        each(kCounts, number);
        each(kShares, [this](const Node& node, std::string_view what) {
            return share_of(node, what, findings_);
        });
        yaml::refuse_unknown_keys(moves, known, findings_);
    }

    /// Going down on more than going up rests on would keep somebody down for what was forgiven.
    void lint_windows(const Node& root) {
        const auto longest = [](const std::vector<Criterion>& list) {
            int days = 0;
            for (const auto& criterion : list) {
                days = std::max(days, criterion.window);
            }
            return days;
        };
        const int promotion = longest(profile_.to_l3);
        for (const auto& key : kLists) {
            const bool lowers = key.list == &Profile::demotion || key.list == &Profile::at_once;
            if (lowers && promotion > 0 && longest(profile_.*key.list) > promotion) {
                findings_.error(
                    root.find(key.name)->at,
                    fmt::format(
                        "{}: looks back {} days, to_l3 only {}: make its windows no longer",
                        key.name,
                        longest(profile_.*key.list),
                        promotion
                    )
                );
            }
        }
    }

    /// What brings somebody back must ask at least what keeps him there.
    void lint_band(const Node& root) {
        for (const auto& restore : profile_.restore) {
            for (const auto* list : {&profile_.demotion, &profile_.at_once}) {
                for (const auto& lowers : *list) {
                    const bool more = is_more_better(restore);
                    if (lowers.figure != restore.figure || is_more_better(lowers) != more) {
                        continue;
                    }
                    if (more ? restore.target < lowers.target : restore.target > lowers.target) {
                        findings_.error(
                            root.find("restore")->at,
                            fmt::format(
                                "restore: {} asks for less than {}, so whoever returns is lowered "
                                "again",
                                restore.id,
                                lowers.id
                            )
                        );
                    }
                }
            }
        }
    }

    Findings& findings_;
    Profile profile_;
    std::map<std::string, int> ids_; // with the line where each stands first
};

std::vector<Profile> read_files() {
    std::vector<Profile> all;
    for (const auto& file : profile_files()) {
        auto reading = read_profile(file.text);
        BATON_ASSERT(reading.profile.has_value()); // a test reads them all
        all.push_back(*std::move(reading.profile));
    }
    std::ranges::sort(all, {}, domain::label_of);
    return all;
}

} // namespace

ProfileReading read_profile(std::string_view text) {
    Findings findings;
    Reader reader(findings);
    if (const auto root = yaml::read(text, findings)) {
        reader.read_root(*root);
    }
    ProfileReading reading;
    if (!findings.any_errors()) {
        reading.profile = reader.take();
    }
    reading.findings = std::move(findings).take();
    return reading;
}

const std::vector<Profile>& builtin_profiles() {
    static const std::vector<Profile> kProfiles = read_files();
    return kProfiles;
}

const Profile* builtin_profile(std::string_view label) {
    const auto& all = builtin_profiles();
    const auto found = std::ranges::find(all, label, domain::label_of);
    return found == all.end() ? nullptr : &*found;
}

} // namespace baton::wire
