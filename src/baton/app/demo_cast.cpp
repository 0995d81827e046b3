#include "baton/app/demo_cast.hpp"

#include "baton/base/assert.hpp"
#include "baton/base/ids.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/level.hpp"
#include "baton/wire/allowlist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

namespace baton::app::demo {

namespace {

constexpr std::string_view kL1 = R"(L1:
  - northwind-ml/forecasts
  - papertrail/paper-bench
  - fieldnotes/graph-kit: [odile]
  - saltmarsh/audio-models
  - orchard-ai/vision-lab
  - kestrel-hpc/slurm-torch: {push_refs: [main, "v*"]}
)";

constexpr std::string_view kLater = "  - driftwood/edge-runtime: [zoe]\n";

constexpr std::string_view kL2AndAbove = R"(L2:
  - quarry/quant-tools: {events: [nightly], oncalls: [per]}
  - aster-labs/aster-backend: [imani, joel]
  - aster-labs/aster-kernels: '@imani'
  - granite-semi/granite-npu: {device: npu, oncalls: [ravi]}
  - halcyon/halcyon-runtime: {max_concurrent: 6, trust: any, oncalls: [wen]}
  - tidewater/tide-compiler: {trust: approved, oncalls: [lucia]}
  - mosaic/mosaic-plugin: {pause: {until: 2099-01-01, reason: new racks}}
  - lumen/torch-lumen: kim, lars
L3:
  npu:
    polaris/polaris-npu: [dora]
    polaris/polaris-graph: [dora, ed]
  tpu:
    polaris/polaris-tpu: [ed]
  xpu:
    bluefin/bluefin-xpu: {oncalls: [ana], events: [pull_request, nightly]}
  dsp:
    cobalt/cobalt-dsp: {trigger: label, trust: approved, oncalls: [noor]}
  riscv:
    copperleaf/rvv-kernels: [sam]
L4:
  - summit/summit-gpu: {device: gpu, oncalls: [fay], required_jobs: [test], push_refs: ["v*"]}
  - verdant/verdant-gpu: {device: gpu, oncalls: [hana]}
  - ridgeline/ridge-accel: {device: accel, oncalls: [gus]}
)";

std::string people_text(const std::vector<Login>& people) {
    std::string out;
    for (const auto& login : people) {
        out += (out.empty() ? "" : ", ") + login.text();
    }
    return out;
}

} // namespace

const std::vector<std::string_view>& contributors() {
    static const std::vector<std::string_view> all{"ines", "kofi", "yuki", "bruno", "newcomer-7"};
    return all;
}

const std::vector<std::string_view>& titles() {
    static const std::vector<std::string_view> all{
        "Fuse softmax and dropout",
        "Fix strides of views",
        "Speed up small matmuls",
        "Add a bfloat16 path",
        "Tidy the dispatcher",
        "Drop the old profiler",
        "Make gather deterministic",
        "Better message for bad shapes",
        "Cache compiled graphs",
        "Document the device guard",
    };
    return all;
}

const std::vector<std::string_view>& labels() {
    static const std::vector<std::string_view> all{
        "ciflow/crcr/dsp", "ciflow/crcr/npu", "ciflow/crcr/dsp", "topic: performance"
    };
    return all;
}

std::string first_allowlist() {
    return fmt::format("{}{}", kL1, kL2AndAbove);
}

std::string broken_allowlist() {
    return fmt::format("{}  - driftwood/edge-runtime: {{oncall: [zoe]}}\n{}", kL1, kL2AndAbove);
}

std::string mended_allowlist(int edition) {
    return fmt::format("# Edition {}\n{}{}{}", edition, kL1, kLater, kL2AndAbove);
}

std::vector<domain::Downstream> cast() {
    auto reading = wire::read_allowlist(mended_allowlist(1));
    BATON_ASSERT(reading.allowlist.has_value()); // it stands above
    std::vector<domain::Downstream> all;
    for (const auto level : domain::kLevels | std::views::reverse) {
        std::ranges::copy_if(
            reading.allowlist->downstreams(),
            std::back_inserter(all),
            [&](const domain::Downstream& downstream) { return downstream.level == level; }
        );
    }
    return all;
}

bool is_featured(const domain::Downstream& downstream) {
    const auto& name = downstream.repo.text();
    const bool has_a_part = name == kSlow || name == kFlaky || name == kForgetful ||
                            name == kSleeper || name == kNotInstalled || name == kMortal ||
                            name == kStrict || name == kQuiet;
    return has_a_part || name == kLimited || downstream.trigger == domain::Trigger::label ||
           downstream.max_concurrent;
}

std::string standing_note(const domain::Downstream& downstream) {
    if (downstream.pause) {
        return fmt::format("paused: {}", downstream.pause->reason);
    }
    if (!downstream.events.pull_request) {
        return "nightly only: gets no events";
    }
    if (downstream.trigger == domain::Trigger::label) {
        return fmt::format("on label ciflow/crcr/{}", downstream.device);
    }
    if (downstream.trust == domain::Trust::approved) {
        return "newcomers need a label first";
    }
    if (!downstream.push_refs.empty()) {
        return fmt::format("pushes to {} only", fmt::join(downstream.push_refs, ", "));
    }
    if (downstream.max_concurrent) {
        return fmt::format("at most {} at once", *downstream.max_concurrent);
    }
    if (!downstream.oncalls.empty()) {
        return fmt::format("on-call {}", people_text(downstream.oncalls));
    }
    return "gets every event";
}

RepoName repo_named(std::string_view text) {
    const auto parsed = RepoName::parse(text);
    BATON_ASSERT(parsed.has_value());
    return *parsed;
}

} // namespace baton::app::demo
