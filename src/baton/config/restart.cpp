#include "baton/config/config.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace baton::config {

std::vector<std::string> restart_needed(const Config& old, const Config& fresh) {
    std::vector<std::string> keys;
    const auto compare = [&keys](std::string_view key, const auto& before, const auto& after) {
        if (!(before == after)) {
            keys.emplace_back(key);
        }
    };
    compare("listen", old.listen, fresh.listen);
    compare("public_url", old.public_url, fresh.public_url);
    compare("store", old.store, fresh.store);
    compare("tls", old.tls, fresh.tls);
    compare("github.api_url", old.github.api_url, fresh.github.api_url);
    compare("github.app_id", old.github.app_id, fresh.github.app_id);
    compare("github.pace", old.github.pace, fresh.github.pace);
    compare("upstreams", old.upstreams, fresh.upstreams);
    compare("oidc", old.oidc, fresh.oidc);
    compare("sinks", old.sinks, fresh.sinks);
    compare("notify", old.notify, fresh.notify);
    compare("allowlist_refresh", old.allowlist_refresh, fresh.allowlist_refresh);
    compare("recovery_every", old.recovery_every, fresh.recovery_every);
    compare("callbacks_per_minute", old.callbacks_per_minute, fresh.callbacks_per_minute);
    compare("retry.first", old.retry.first, fresh.retry.first);
    compare("retry.longest", old.retry.longest, fresh.retry.longest);
    compare("retry.give_up_after", old.retry.give_up_after, fresh.retry.give_up_after);
    compare("start_timeout", old.start_timeout, fresh.start_timeout);
    compare("run_timeout", old.run_timeout, fresh.run_timeout);
    compare("gate_start", old.gate.start, fresh.gate.start);
    compare("gate_run", old.gate.run, fresh.gate.run);
    compare("gate_settle", old.gate.settle, fresh.gate.settle);
    compare("gate_retries", old.gate.retries, fresh.gate.retries);
    compare("canary_every", old.canary_every, fresh.canary_every);
    compare("levels", old.levels, fresh.levels);
    compare("retention", old.retention, fresh.retention);
    compare("log", old.log, fresh.log);
    return keys;
}

} // namespace baton::config
