#include "baton/app/upstreams.hpp"

#include "baton/app/text_sources.hpp"
#include "baton/base/time.hpp"
#include "baton/config/allowlist_at.hpp"
#include "baton/config/config.hpp"
#include "baton/domain/event.hpp"
#include "baton/relay/upstream.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace baton::app {

namespace {

constexpr std::chrono::seconds kFileLook{1}; // a changed file is in force within 2 s

relay::Upstream
upstream_of(const config::Upstream& upstream, Millis refresh, const UpstreamSurroundings& around) {
    std::optional<domain::WatchedFile> watched;
    if (const auto* file = std::get_if<config::AllowlistFile>(&upstream.allowlist)) {
        around.sources.push_back(std::make_unique<FileSource>(file->path, around.pool));
        refresh = kFileLook; // a look at the file's time costs nothing
    } else {
        const auto& place = std::get<config::AllowlistOnGithub>(upstream.allowlist);
        around.sources.push_back(std::make_unique<RepositorySource>(
            RepositorySource::Place{.repo = place.repo, .path = place.path, .ref = place.ref},
            around.github
        ));
        watched = domain::WatchedFile{.repo = place.repo, .path = place.path, .ref = place.ref};
    }
    return {
        .repo = upstream.repo,
        .source = *around.sources.back(),
        .refresh = refresh,
        .watched = std::move(watched),
        .label_prefixes = upstream.label_prefixes,
        .check_prefix = upstream.check_prefix,
        .gate_always = upstream.gate == config::GateWhen::always,
        .comment = upstream.comment == config::CommentWhen::trouble,
    };
}

} // namespace

std::vector<relay::Upstream>
upstreams_of(const config::Config& config, const UpstreamSurroundings& around) {
    std::vector<relay::Upstream> upstreams;
    upstreams.reserve(config.upstreams.size());
    for (const auto& upstream : config.upstreams) {
        upstreams.push_back(upstream_of(upstream, config.allowlist_refresh, around));
    }
    return upstreams;
}

} // namespace baton::app
