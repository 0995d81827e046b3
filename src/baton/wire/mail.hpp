#pragma once

#include "baton/base/time.hpp"
#include "baton/wire/notice.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// A notification as a mail: docs/design/notify.md. Equal facts are equal bytes.
namespace baton::wire {

struct MailFrame {
    std::string from;
    std::vector<std::string> to;
    std::int64_t letter{0};
    TimePoint at{};   // when it was written
    std::string page; // of the HUD, for links; empty: none
};

/// An address as Baton takes it: plain ASCII, one @, nothing that ends a header or a list.
bool is_mail_address(std::string_view text);

/// The host of `smtp://host:port` or `smtps://…`; empty: it is neither.
std::string mail_host(std::string_view server);

/// The whole message, lines ended by CRLF. What foreign hands wrote stands in its body alone, as
/// base64.
std::string mail_of(const Notice& notice, const MailFrame& frame);

} // namespace baton::wire
