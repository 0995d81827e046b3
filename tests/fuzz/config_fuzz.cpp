// The configuration file. Whatever it says, no finding repeats a secret, and what is taken fits the
// rules that the rest of the relay builds on.

#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/config/allowlist_at.hpp"
#include "baton/config/config.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/net/url.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fuzz/fuzz.hpp"

namespace {

using namespace baton;
using fuzz::promise;

constexpr std::string_view kSecret = "hunter2-is-a-secret";

config::Surroundings surroundings() {
    return {
        .environment =
            [](const std::string& name) {
                return name.empty() ? std::nullopt : std::optional(std::string(kSecret));
            },
        .read_file = [](const std::string& path) -> Result<std::string> {
            if (path.find("missing") != std::string::npos) {
                return fail(Errc::not_found, path + ": No such file or directory");
            }
            return std::string(kSecret) + "\n";
        },
    };
}

void check_config(const config::Config& config) {
    promise(!config.upstreams.empty(), "a relay has an upstream");
    promise(config.github.app_id > 0, "and an App");
    promise(!config.github.webhook_secrets.empty(), "and a webhook secret");
    promise(net::parse_url(config.github.api_url).has_value(), "and talks to a URL it may talk to");
    promise(config.retry.first.count() > 0, "and waits before it tries again");
    for (const auto& upstream : config.upstreams) {
        const auto text = config::to_text(upstream.allowlist);
        const auto again = config::parse_allowlist_at(text);
        promise(again && *again == upstream.allowlist, "an allowlist's place can be written down");
    }
    promise(config::restart_needed(config, config).empty(), "the same needs no restart");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = fuzz::text_of(data, size);
    if (text.find(kSecret) != std::string_view::npos) {
        return 0; // it knows the secret already
    }
    const auto reading = config::read_config(text, "/etc/baton", surroundings());
    promise(reading.findings.size() <= limits::kFindingsMax, "findings are bounded");
    promise(
        reading.config.has_value() != domain::has_errors(reading.findings),
        "a configuration is taken whole, or an error says why not"
    );
    for (const auto& finding : reading.findings) {
        promise(finding.message.find(kSecret) == std::string::npos, "no finding repeats a secret");
    }
    if (reading.config) {
        check_config(*reading.config);
    }
    if (const auto place = config::parse_allowlist_at(text)) {
        const auto again = config::parse_allowlist_at(config::to_text(*place));
        promise(again && *again == *place, "a place is the one it says");
    }
    return 0;
}
