#pragma once

#include "baton/base/time.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// Whether anybody can open a link, tried from this machine.
namespace baton::links {

struct LinkState {
    std::string url;
    bool open{false};
    bool login{false};  // not open, because it leads to a login
    std::string detail; // why not, in few words
    std::string page;   // the beginning of what it shows, when that was asked for
};

struct LinkOptions {
    Millis wait{std::chrono::seconds{10}}; // for one link, with all its hops
    int hops{3};
    std::size_t at_once{8};
    std::size_t page_bytes{0}; // of each page that is opened, so many are kept
    /// For tests, which have a server on this machine and no other: plain http, and addresses that
    /// nobody else can reach.
    bool reaches_this_machine{false};
};

/// HEAD, then the first byte where HEAD is not answered with 200; GET at once where the page is
/// wanted. Nothing is sent along that tells who asks. Only https, and only addresses that anybody
/// can reach: what a name stands for is looked at when it is connected to, at every hop. A redirect
/// to a login is not open. The answers stand in the order of the links.
std::vector<LinkState> check_links(const std::vector<std::string>& urls, LinkOptions options);

/// Whether an IPv4 (4 bytes) or IPv6 (16 bytes) address is one of the public internet: not this
/// machine, not a private or local network, nothing reserved.
bool is_public(std::span<const std::uint8_t> address);

} // namespace baton::links
