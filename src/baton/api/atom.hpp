#pragma once

#include "baton/base/time.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace baton::api {

struct FeedEntry {
    std::string id; // stable: the same for as long as it is the same news
    std::string title;
    std::string text;
    std::string link; // absolute
    TimePoint updated{};
};

struct Feed {
    std::string id;
    std::string title;
    std::string link;               // the page that it is about, absolute
    std::string self;               // where it is
    std::vector<FeedEntry> entries; // newest first
};

/// RFC 4287. Texts are made inert: nothing in them is a tag, and readers show them as they are.
std::string atom_of(const Feed& feed);

/// A tag URI (RFC 4151) of the host in this address.
std::string tag_uri(std::string_view public_url, std::string_view specific);

} // namespace baton::api
