#pragma once

#include "baton/net/http.hpp"

#include <string>
#include <string_view>

namespace baton::net {

/// Whether the text may stand in a header line: no control characters, so no smuggled lines.
bool is_header_text(std::string_view text);

/// Whether the text is a name of a header or method: RFC 9110 calls it a token.
bool is_token(std::string_view text);

/// Whether we can put this response on the wire: a final status, header names and values of one
/// line each.
bool is_sendable(const Response& response);

/// How the other side knows where an answer ends.
struct Framing {
    bool keep_alive{false};
    bool chunks{false
    }; // it understands them; without, a body of unknown length ends with the connection
};

/// Appends status line and headers up to the empty line. Content-Type, Content-Length, Connection,
/// Transfer-Encoding and X-Content-Type-Options are the server's own: those of the response are
/// skipped.
void append_head(std::string& out, const Response& response, Framing framing);

/// A piece of a chunked body; of an empty one: its end.
std::string chunk_of(std::string_view piece);

/// 204 and 304 have no body, whatever the response holds.
bool has_body(int status);

/// {"detail":"..."}: what every refusal of the server itself looks like. `detail` is plain text
/// without quotes.
Response refusal(int status, std::string_view detail);

} // namespace baton::net
