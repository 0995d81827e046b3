#include "baton/wire/mail.hpp"

#include "baton/base/time.hpp"
#include "baton/crypto/base64url.hpp"
#include "baton/domain/notification.hpp"
#include "baton/wire/bundle_parts.hpp"
#include "baton/wire/notice.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace baton::wire {

namespace {

constexpr std::size_t kLine = 76;        // of base64, as MIME asks
constexpr std::size_t kAddressMax = 254; // RFC 5321

std::string lines_of(const std::string& text) {
    const auto flat = crypto::base64(text);
    std::string out;
    for (std::size_t i = 0; i < flat.size(); i += kLine) {
        out += flat.substr(i, kLine) + "\r\n";
    }
    return out;
}

/// Thu, 15 Jan 2027 08:00:00 +0000
std::string date_of(TimePoint at) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(at);
    return fmt::format("{:%a, %d %b %Y %H:%M:%S} +0000", seconds);
}

std::string text_of(const Notice& notice, const std::string& page) {
    auto out = notice.text + "\n";
    if (!notice.oncalls.empty()) {
        out += "\nOn call:";
        for (const auto& login : notice.oncalls) {
            out += " " + login.text();
        }
        out += "\n";
    }
    for (const auto& [criterion, measured, met, advice] : notice.criteria) {
        out += fmt::format(
            "\n- {} ({}): asked for {} over {} days, measured {}, n {}, 95 % bounds {}",
            criterion.id,
            criterion.text,
            target_text(criterion),
            criterion.window,
            measured_text(criterion.figure, measured),
            measured.n,
            bounds_text(criterion.figure, measured)
        );
    }
    const auto where = notice_page(notice, page);
    return where.empty() ? out + "\n" : fmt::format("{}\n\n{}\n", out, where);
}

} // namespace

bool is_mail_address(std::string_view text) {
    const auto at = text.find('@');
    const bool plain = std::ranges::all_of(text, [](char c) {
        constexpr std::string_view kForeign = "<>()[]\\,;:\"";
        return c > ' ' && c < '\x7f' && kForeign.find(c) == std::string_view::npos;
    });
    return plain && text.size() <= kAddressMax && at != std::string_view::npos && at > 0 &&
           at + 1 < text.size() && text.find('@', at + 1) == std::string_view::npos;
}

std::string mail_host(std::string_view server) {
    for (const std::string_view scheme : {"smtp://", "smtps://"}) {
        if (server.starts_with(scheme)) {
            server.remove_prefix(scheme.size());
            if (server.starts_with('[')) {
                return std::string(server.substr(1, server.find(']') - 1));
            }
            return std::string(server.substr(0, server.find_first_of(":/")));
        }
    }
    return {};
}

std::string mail_of(const Notice& notice, const MailFrame& frame) {
    const auto about = notice.downstream.empty() ? std::string("several") : notice.downstream;
    const auto domain = frame.from.substr(frame.from.find('@') + 1);
    auto out = fmt::format("From: Baton <{}>\r\nTo: ", frame.from);
    for (std::size_t i = 0; i < frame.to.size(); ++i) {
        out += (i == 0 ? "" : ",\r\n ") + frame.to[i];
    }
    out += fmt::format(
        "\r\nSubject: [Baton] {}: {}\r\nDate: {}\r\nMessage-ID: <baton.{}.{}@{}>\r\n"
        "Auto-Submitted: auto-generated\r\nMIME-Version: 1.0\r\n"
        "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n",
        domain::name_of(notice.kind),
        about,
        date_of(frame.at),
        frame.letter,
        to_ms(frame.at),
        domain
    );
    return out + lines_of(text_of(notice, frame.page));
}

} // namespace baton::wire
