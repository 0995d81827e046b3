#include "baton/store/sql/connection.hpp"

#include "baton/base/result.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace baton::store::sql {

Error to_error(const Failure& failure) {
    return {.code = failure.code, .detail = fmt::format("{} ({})", failure.sentence, failure.text)};
}

std::int64_t Connection::id_of(const Later& later) {
    if (!later->has_value()) {
        engine_->settle();
    }
    return later->value_or(0);
}

void Connection::script(const char* sql, const char* name) {
    if (ok()) {
        engine_->script(sql, name);
    }
}

void Connection::begin(Scope scope) {
    if (ok()) {
        engine_->begin(scope);
    }
}

void Connection::commit() {
    if (ok()) {
        engine_->commit();
    }
}

void Connection::spoil(std::string_view why) {
    engine_->note(Failure{.sentence = "the store cannot be used now", .text = std::string(why)});
}

void Connection::roll_back() {
    forgive();
    engine_->roll_back();
    forgive();
}

} // namespace baton::store::sql
