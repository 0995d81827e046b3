// The pipelines file: taken whole, or an error says why.

#include "baton/base/text.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/identity.hpp"
#include "baton/domain/token_claims.hpp"
#include "baton/wire/pipelines.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace baton;
    using fuzz::promise;
    const auto reading = wire::read_pipelines(fuzz::text_of(data, size));
    const bool faulty = std::ranges::any_of(reading.findings, [](const domain::Finding& finding) {
        return finding.severity == domain::Severity::error;
    });
    promise(reading.pipelines.has_value() != faulty, "taken whole or not at all");
    for (const auto& finding : reading.findings) {
        promise(fuzz::is_inert(domain::to_text(finding, "f")), "what people are told is inert");
    }
    if (!reading.pipelines) {
        return 0;
    }
    for (const auto& [key, pipeline] : *reading.pipelines) {
        promise(key.size() == 73 && key == lower(key) && key[36] == '/', "two UUIDs");
        promise(!pipeline.repo.empty(), "for a repository");
        for (const auto& claim : pipeline.required) {
            promise(!claim.values.empty(), "a required claim can be met");
        }
        domain::TokenClaims claims;
        claims.texts["organization_id"] = key.substr(0, 36);
        claims.texts["pipeline_id"] = key.substr(37);
        for (const auto& claim : pipeline.required) {
            claims.texts[claim.name] = claim.values.front();
        }
        const auto caller = domain::buildkite_caller(claims, *reading.pipelines);
        const bool own_ids = claims.text("organization_id") == key.substr(0, 36) &&
                             claims.text("pipeline_id") == key.substr(37);
        promise(!own_ids || (caller && caller->repo == pipeline.repo), "and by whoever meets it");
    }
    return 0;
}
