#include "baton/wire/baseline.hpp"

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/coverage.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::wire {

namespace {

using quality::BaselineEntry;
using quality::BaselineKind;

constexpr std::string_view kHeader = "# cpq-baseline/1 pytorch ";
constexpr std::string_view kHardware = " hardware ";

constexpr std::array<std::pair<std::string_view, BaselineKind>, 3> kKinds{{
    {"unit", BaselineKind::unit},
    {"benchmark", BaselineKind::benchmark},
    {"operator", BaselineKind::operator_},
}};

tl::unexpected<Error> wrong_at(std::size_t line, std::string_view what) {
    return fail(Errc::invalid, fmt::format("line {}: {}", line, what));
}

std::string_view take_until(std::string_view& rest, char end) {
    const auto at = rest.find(end);
    const auto part = rest.substr(0, at);
    rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + 1);
    return part;
}

std::string_view take_line(std::string_view& rest) {
    auto line = take_until(rest, '\n');
    if (line.ends_with('\r')) {
        line.remove_suffix(1);
    }
    return line;
}

Result<quality::Baseline> read_header(std::string_view line) {
    const auto hardware = line.find(kHardware);
    if (!line.starts_with(kHeader) || hardware == std::string_view::npos) {
        return wrong_at(
            1,
            fmt::format(
                "expected \"{}2.14{}ACCELERATOR\", found \"{}\"", kHeader, kHardware, inert(line)
            )
        );
    }
    const auto release = line.substr(kHeader.size(), hardware - kHeader.size());
    const auto parsed = quality::parse_release(release);
    if (!parsed) {
        return wrong_at(1, fmt::format("\"{}\" is no minor release", inert(release)));
    }
    return quality::Baseline{
        .release = *parsed,
        .hardware = std::string(line.substr(hardware + kHardware.size())),
        .digest = {},
        .entries = {},
    };
}

Result<BaselineEntry> read_entry(std::string_view line, std::size_t number) {
    auto rest = line;
    const auto kind = take_until(rest, '\t');
    const auto id = take_until(rest, '\t');
    std::optional<BaselineKind> known;
    for (const auto& [name, value] : kKinds) {
        known = kind == name ? std::optional(value) : known;
    }
    if (!known) {
        return wrong_at(
            number, fmt::format("\"{}\" is none of unit, benchmark and operator", inert(kind))
        );
    }
    if (id.empty() || rest.find('\t') != std::string_view::npos) {
        return wrong_at(number, "expected a kind, a tab, an id, and tags after another tab");
    }
    BaselineEntry entry{.kind = *known, .id = std::string(id)};
    while (!rest.empty()) {
        const auto tag = take_until(rest, ',');
        entry.deprecated = entry.deprecated || tag == "deprecated";
        entry.training = entry.training || tag == "training";
        entry.distributed = entry.distributed || tag == "distributed";
    }
    return entry;
}

} // namespace

Result<quality::Baseline> read_baseline(std::string_view text) {
    const auto digest = crypto::sha256_hex(text);
    if (const auto broken = broken_utf8_at(text)) {
        return fail(Errc::invalid, fmt::format("offset {}: not UTF-8", *broken));
    }
    BATON_TRY(auto baseline, read_header(take_line(text)));
    baseline.digest = digest;
    for (std::size_t number = 2; !text.empty(); ++number) {
        const auto line = take_line(text);
        if (line.starts_with('#')) {
            continue;
        }
        BATON_TRY(auto entry, read_entry(line, number));
        const auto& all = baseline.entries;
        if (!all.empty() && std::pair(all.back().kind, std::string_view(all.back().id)) >=
                                std::pair(entry.kind, std::string_view(entry.id))) {
            return wrong_at(
                number,
                fmt::format(
                    "\"{}\" stands twice or out of order: unit, benchmark, operator, then by bytes",
                    inert(entry.id)
                )
            );
        }
        baseline.entries.push_back(std::move(entry));
    }
    return baseline;
}

Result<std::vector<std::string>> read_marks(std::string_view text) {
    std::vector<std::string> marks;
    if (const auto broken = broken_utf8_at(text)) {
        return fail(Errc::invalid, fmt::format("offset {}: not UTF-8", *broken));
    }
    for (std::size_t number = 1; !text.empty(); ++number) {
        const auto line = trimmed(take_line(text));
        if (line.find('\t') != std::string_view::npos) {
            return wrong_at(number, "a tab: expected one id in a line, FILE::CLASS::NAME");
        }
        if (!line.empty() && !line.starts_with('#')) {
            marks.emplace_back(line);
        }
    }
    return marks;
}

} // namespace baton::wire
