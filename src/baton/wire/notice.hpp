#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/notification.hpp"
#include "baton/domain/profile.hpp"

#include <string>
#include <string_view>
#include <vector>

/// A notification's letter read again, and written for people: docs/design/notify.md.
namespace baton::wire {

struct Notice {
    domain::NotificationKind kind{domain::NotificationKind::suspended};
    std::string downstream; // empty: of several, whom the text names
    std::vector<Login> oncalls;
    std::string text;                               // the whole message in one sentence
    std::vector<domain::CriterionVerdict> criteria; // behind it; none: it is not about a level
};

/// `invalid`: not a letter that this version knows.
Result<Notice> read_notice(std::string_view body);

/// Where to look: `page` is the HUD's; empty without one.
std::string notice_page(const Notice& notice, const std::string& page);

/// Markdown: the sentence, whom it concerns, the criteria behind it, and where to look.
std::string notice_comment(const Notice& notice, const std::string& page);

} // namespace baton::wire
