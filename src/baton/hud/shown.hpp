#pragma once

#include "baton/base/ids.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/ports/store.hpp"
#include "baton/ports/views.hpp"

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::hud {

/// What everybody may see, by the lists of one moment: downstreams that the upstream in question
/// lists as public. Who is listed by nobody is not shown: nobody knows any more what they were.
class Shown {
public:
    explicit Shown(const std::vector<ListInForce>& lists);

    bool has(const RepoName& upstream, const RepoName& downstream) const;
    /// Where nobody says for which upstream: public for one at least, and private for none.
    bool everywhere(const RepoName& downstream) const;
    /// Whether any upstream names it, private or not.
    bool lists(const RepoName& downstream) const;
    /// Whether somebody public belongs to this account.
    bool has_owner(std::string_view account) const;
    /// Whether the text names somebody private.
    bool betrays(std::string_view text) const;
    /// The text with "a private downstream" in place of their names.
    std::string discreet(std::string text) const;

private:
    std::set<std::pair<RepoName, RepoName>> open_; // upstream, downstream
    std::set<RepoName> open_somewhere_;
    std::set<RepoName> private_somewhere_;
};

/// Each takes out what is not shown.
void hide(std::vector<ports::PullRow>& rows, const Shown& shown);
/// Not the decisions inside a line about planning: whoever reads those asks `has`.
void hide(ports::DeliveryHistory& history, const Shown& shown);

} // namespace baton::hud
