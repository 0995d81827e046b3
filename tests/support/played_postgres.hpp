#pragma once

#include <arpa/inet.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "support/raw_socket.hpp"

namespace baton::test {

/// One message of PostgreSQL's protocol: its kind, its length, its body.
inline std::string postgres_message(char kind, std::string_view body) {
    const std::uint32_t size = htonl(static_cast<std::uint32_t>(body.size() + 4));
    std::string bytes(1, kind);
    bytes.append(reinterpret_cast<const char*>(&size), sizeof(size));
    return bytes.append(body);
}

inline std::string postgres_setting(std::string_view name, std::string_view value) {
    std::string body(name);
    body.push_back('\0');
    body.append(value).push_back('\0');
    return postgres_message('S', body);
}

/// Says hello as a server of that version does, and yes to whatever it is asked first.
inline void say_hello(RawSocket& client, std::string_view version) {
    using namespace std::string_view_literals;
    const auto ready = postgres_message('Z', "I");
    client.receive(); // who it is and what it wants
    client.send(
        postgres_message('R', "\0\0\0\0"sv) + postgres_setting("server_version", version) +
        postgres_setting("server_encoding", "UTF8") + postgres_setting("client_encoding", "UTF8") +
        postgres_setting("in_hot_standby", "off") +
        postgres_setting("default_transaction_read_only", "off") +
        postgres_setting("standard_conforming_strings", "on") +
        postgres_message('K', "\0\0\0\1\0\0\0\2"sv) + ready
    );
    client.receive(); // its bounds
    client.send(postgres_message('C', "SET\0"sv) + ready);
}

} // namespace baton::test
