#include "baton/domain/rerun.hpp"

#include <initializer_list>
#include <optional>
#include <string_view>

namespace baton::domain {

namespace {

template <class Word>
std::optional<Word> named(std::string_view name, std::initializer_list<Word> words) {
    for (const auto word : words) {
        if (name_of(word) == name) {
            return word;
        }
    }
    return std::nullopt;
}

} // namespace

std::string_view name_of(RerunScope scope) {
    return scope == RerunScope::failed ? "failed" : "all";
}

std::string_view name_of(RerunCause cause) {
    return cause == RerunCause::person ? "person" : "infrastructure";
}

std::string_view name_of(RerunState state) {
    switch (state) {
    case RerunState::waiting:
        return "waiting";
    case RerunState::asked:
        return "asked";
    case RerunState::dispatched:
        return "dispatched";
    case RerunState::refused:
        return "refused";
    }
    return "";
}

std::optional<RerunScope> rerun_scope_named(std::string_view name) {
    return named(name, {RerunScope::failed, RerunScope::all});
}

std::optional<RerunCause> rerun_cause_named(std::string_view name) {
    return named(name, {RerunCause::person, RerunCause::infrastructure});
}

std::optional<RerunState> rerun_state_named(std::string_view name) {
    return named(
        name, {RerunState::waiting, RerunState::asked, RerunState::dispatched, RerunState::refused}
    );
}

} // namespace baton::domain
