#pragma once

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::net {

/// Whether two header names (or tokens like "chunked") are the same: ASCII case does not count.
bool same_name(std::string_view a, std::string_view b);

/// Header fields in order; names compare case-insensitively.
class Headers {
public:
    Headers() = default;

    Headers(std::initializer_list<std::pair<std::string, std::string>> fields)
        : fields_(fields) {}

    void reserve(std::size_t fields) { fields_.reserve(fields); }

    void add(std::string name, std::string value) {
        fields_.emplace_back(std::move(name), std::move(value));
    }

    /// The first field of that name.
    std::optional<std::string_view> find(std::string_view name) const;
    /// How often the name occurs: a doubled security header is a reason to refuse.
    std::size_t count(std::string_view name) const;

    const std::vector<std::pair<std::string, std::string>>& all() const { return fields_; }

private:
    std::vector<std::pair<std::string, std::string>> fields_;
};

struct RequestHead {
    std::string method;
    std::string path;  // without the query, percent-decoding not applied
    std::string query; // after the "?", may be empty
    Headers headers;
    std::string peer; // address of the other side
};

/// The next piece of a body that is not known as a whole; nullopt: that was all. Called again only
/// after the piece before has been sent.
using BodySource = std::function<boost::asio::awaitable<std::optional<std::string>>()>;

struct Response {
    int status{200};
    std::string content_type{"application/json"};
    Headers headers;
    std::string body;
    /// What follows `body`, piece by piece; then the connection ends. Its waits are its own to
    /// bound. What it throws breaks the answer off, so that nobody takes a part for the whole.
    BodySource more{};
    /// The server sends nothing of this and resets the connection: how the simulator plays a broken
    /// GitHub.
    bool abort{false};
    /// The server sends the head and so many bytes of the body, then resets: an answer that breaks
    /// off.
    std::optional<std::size_t> cut_at{};
};

} // namespace baton::net
