// The links of evidence, tried from this machine, and what is remembered of it.

#include "quality_links.hpp"

#include "baton/app/files.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/links/link_check.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/link_notes.hpp"
#include "baton/wire/links_json.hpp"
#include "baton/wire/visible_text.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "command.hpp"
#include "print.hpp"
#include "quality_files.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

constexpr std::size_t kPageBytes = 1024U * 1024;

/// What says that it is not public is not tried, nor what is no link.
std::vector<std::string> links_of(const std::vector<const quality::Assessment*>& all) {
    std::set<std::string> links;
    for (const auto* const assessment : all) {
        for (const auto& evidence : assessment->evidence) {
            if (evidence.open && evidence.url.starts_with("https://")) {
                links.insert(evidence.url);
            }
        }
    }
    return {links.begin(), links.end()};
}

/// None yet is no trouble, unless nothing else is to be asked.
Result<quality::LinkNotes> read_notes(const LinkChoice& choice) {
    std::error_code ignored;
    if (!choice.offline && !std::filesystem::exists(choice.notes, ignored)) {
        return quality::LinkNotes{};
    }
    BATON_TRY(const auto text, app::read_file(choice.notes, limits::kAllowlistBytesMax));
    auto notes = wire::read_links(text);
    if (!notes) {
        return fail(Errc::invalid, fmt::format("{}: {}", choice.notes, notes.error().detail));
    }
    return notes;
}

/// One more look at each; the first that fail are named.
void look_at(const std::vector<std::string>& urls, quality::LinkNotes& notes) {
    constexpr std::size_t kNamed = 5;
    const auto now = present();
    std::size_t closed = 0;
    for (auto& state : links::check_links(urls, {.page_bytes = kPageBytes})) {
        if (!state.open && closed++ < kNamed) {
            complain(fmt::format("{}: {}", inert(state.url), inert(state.detail)));
        }
        const auto before = notes.find(state.url);
        auto note = quality::noted(
            before == notes.end() ? nullptr : &before->second,
            {.open = state.open,
             .login = state.login,
             .detail = std::move(state.detail),
             .text = state.open ? crypto::sha256_hex(wire::visible_text(state.page)) : ""},
            now
        );
        notes.insert_or_assign(state.url, std::move(note));
    }
    if (closed > 0) {
        complain(fmt::format(
            "{} of {} did not open; what fails again after a day is dead (Q012)",
            closed,
            counted(urls.size(), "link")
        ));
    }
}

} // namespace

std::optional<quality::LinkNotes>
links_or_complain(const LinkChoice& choice, const std::vector<const quality::Assessment*>& all) {
    auto notes = read_notes(choice);
    if (!notes) {
        complain(inert(notes.error().detail));
        return std::nullopt;
    }
    if (choice.offline) {
        return *std::move(notes);
    }
    look_at(links_of(all), *notes);
    if (const auto written = replace_file(choice.notes, wire::links_json(*notes)); !written) {
        complain(inert(written.error().detail));
        return std::nullopt;
    }
    return *std::move(notes);
}

} // namespace baton::program
