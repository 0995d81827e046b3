// Paths, queries and addresses: what is decoded can be encoded again, and a URL has one normal
// form.

#include "baton/net/router.hpp"
#include "baton/net/server.hpp"
#include "baton/net/url.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/fuzz.hpp"

namespace {

using namespace baton;
using fuzz::promise;

const net::Router& router() {
    static const net::Router one(std::vector<net::Route>{
        {.method = "GET", .path = "/"},
        {.method = "GET", .path = "/healthz"},
        {.method = "POST", .path = "/github/webhook"},
        {.method = "GET", .path = "/repos/{}/{}"},
        {.method = "POST", .path = "/repos/{}/{}/dispatches"},
        {.method = "GET", .path = "/repos/{}/{}/contents/{*}"},
    });
    return one;
}

void check_route(std::string_view path) {
    if (!path.starts_with('/')) {
        return; // the parser of heads has refused it
    }
    const auto match = router().match("GET", path);
    if (match.route == nullptr) {
        return;
    }
    promise(match.allow.empty(), "a route that was found needs no Allow");
    // Captures put back into the pattern give the path again.
    std::string again;
    std::size_t next = 0;
    std::string_view pattern = match.route->path;
    while (!pattern.empty()) {
        if (pattern.starts_with("{")) {
            promise(next < match.captures.size(), "each place of the pattern has its capture");
            again += match.captures[next++];
            pattern.remove_prefix(pattern.find('}') + 1);
        } else {
            again += pattern.front();
            pattern.remove_prefix(1);
        }
    }
    promise(again == path, "captures are the parts of the path, nothing lost and nothing added");
}

void check_url(std::string_view text) {
    for (const auto plain : {net::PlainHttp::loopback_only, net::PlainHttp::anywhere}) {
        const auto url = net::parse_url(text, plain);
        if (!url) {
            continue;
        }
        promise(
            url->secure || plain == net::PlainHttp::anywhere || net::is_loopback(url->host),
            "plain http goes to this machine only"
        );
        promise(!url->host.empty() && url->port != 0, "a URL names a host and a port");
        promise(!url->path.ends_with('/'), "a base URL has no final slash");
        const auto again = net::parse_url(url->text(), plain);
        promise(again.has_value(), "the normal form of a URL is a URL");
        promise(again->text() == url->text(), "and it is its own normal form");
        promise(again->origin() == url->origin(), "with the same origin");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = fuzz::text_of(data, size);
    const auto encoded = net::percent_encode(text);
    promise(net::percent_decode(encoded) == text, "decoding undoes encoding");
    if (const auto decoded = net::percent_decode(text)) {
        promise(decoded->size() <= text.size(), "decoding never grows");
    }
    const auto query = "k=" + encoded + "&l=2";
    promise(net::query_value(query, "k") == text, "a query gives its value back");
    promise(net::query_value(query, "l") == "2", "whatever stands before it");
    static_cast<void>(net::query_value(text, "per_page"));
    check_route(text);
    check_url(text);
    return 0;
}
