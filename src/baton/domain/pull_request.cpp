#include "baton/domain/pull_request.hpp"

#include "baton/base/assert.hpp"
#include "baton/domain/event.hpp"
#include "baton/domain/recovery.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace baton::domain {

namespace {

bool contains(const std::vector<std::string>& labels, std::string_view label) {
    return std::ranges::find(labels, label) != labels.end();
}

PullRequest from_scratch(const Event& event, const PullRequestFacts& facts) {
    PullRequest pr;
    pr.upstream = event.repository.value_or(RepoName{});
    pr.number = facts.number;
    pr.labels = facts.labels;
    return pr;
}

/// Of two webhooks of one second nobody can tell which list of labels is the newer one, but each
/// change of a label sends its own: that one is believed, about that label alone. What was asked
/// from GitHub is no webhook and knows the whole list.
std::vector<std::string>
labels_after(const PullRequest& pr, const Event& event, const PullRequestFacts& facts) {
    const bool same_second = facts.updated_at == pr.updated_at;
    if (facts.updated_at > pr.updated_at || (same_second && is_rebuilt(event.delivery))) {
        return facts.labels;
    }
    auto labels = pr.labels;
    if (same_second && event.action == "unlabeled") {
        std::erase(labels, facts.label);
    } else if (same_second && event.action == "labeled" && !contains(labels, facts.label)) {
        labels.push_back(facts.label);
    }
    return labels;
}

void take_newest(PullRequest& pr, const PullRequestFacts& facts) {
    if (pr.head != facts.head) {
        pr.newest_forwarded = DeliveryId{}; // the body we hold is of another commit
    }
    pr.head = facts.head;
    pr.updated_at = facts.updated_at;
    pr.open = facts.open;
    pr.draft = facts.draft;
    pr.closed_at = facts.closed_at;
    pr.merged_at = facts.merged_at;
    pr.author = facts.author;
    pr.title = facts.title;
    pr.association = facts.association;
}

/// GitHub tells time in whole seconds, so two webhooks of one second look equally new. Then only a
/// commit that was pushed on top of what we know moves the head; anything else that shows another
/// head saw the one before.
bool is_older(const PullRequest& known, const Event& event, const PullRequestFacts& facts) {
    if (facts.updated_at != known.updated_at) {
        return facts.updated_at < known.updated_at;
    }
    const bool on_top = event.action == "synchronize" && facts.before == known.head;
    return facts.head != known.head && !on_top;
}

/// Nobody needs more: GitHub allows a hundred labels on a pull request. A refusal is never
/// forgotten.
void keep_few(std::vector<LabelRuling>& rulings) {
    constexpr std::size_t kRulingsMax = 100;
    if (rulings.size() <= kRulingsMax) {
        return;
    }
    const auto oldest = std::ranges::min_element(rulings, {}, [](const LabelRuling& ruling) {
        return std::pair(ruling.setter != Labeller::may, ruling.at);
    });
    if (oldest->setter == Labeller::may) {
        rulings.erase(oldest);
    }
}

void judge_label(
    PullRequest& pr, const Event& event, const PullRequestFacts& facts, Labeller labeller
) {
    const bool set = event.action == "labeled";
    if (!set && event.action != "unlabeled") {
        return;
    }
    pr.approved = pr.approved || (set && labeller == Labeller::may);
    const LabelRuling heard{
        .label = facts.label,
        .at = facts.updated_at,
        .setter = set ? labeller : Labeller::may,
    };
    const auto known = std::ranges::find(pr.label_rulings, facts.label, &LabelRuling::label);
    if (known == pr.label_rulings.end()) {
        pr.label_rulings.push_back(heard);
        keep_few(pr.label_rulings);
        return;
    }
    // One second tells nobody which was later: told again it may be known better, but a no stays.
    const bool known_better = heard.at == known->at && known->setter != Labeller::may_not;
    if (heard.at > known->at || known_better) {
        *known = heard;
    }
}

} // namespace

bool PullRequest::has_label(std::string_view label) const {
    const auto ruling = std::ranges::find(label_rulings, label, &LabelRuling::label);
    const bool allowed = ruling == label_rulings.end() || ruling->setter == Labeller::may;
    return allowed && contains(labels, label);
}

Folded fold(const std::optional<PullRequest>& known, const Event& event, Labeller labeller) {
    const auto* facts = std::get_if<PullRequestFacts>(&event.facts);
    BATON_ASSERT(facts != nullptr);
    Folded folded{
        .pull_request = known ? *known : from_scratch(event, *facts), .freshness = Freshness::newer
    };
    auto& pr = folded.pull_request;
    pr.labels = labels_after(pr, event, *facts);
    if (known && is_older(*known, event, *facts)) {
        folded.freshness = Freshness::older;
    } else {
        take_newest(pr, *facts);
    }
    judge_label(pr, event, *facts, labeller);
    // `closed` is forwarded too, but a late label wants the body that starts work, not the one that
    // ends it.
    const bool starts_work = is_forwarded(event) && event.action != "closed";
    if (starts_work && facts->head == pr.head &&
        (folded.freshness == Freshness::newer || pr.newest_forwarded.empty())) {
        pr.newest_forwarded = event.delivery;
    }
    return folded;
}

} // namespace baton::domain
