#include "baton/store/postgres/address.hpp"

#include <fmt/format.h>
#include <libpq-fe.h>

#include <map>
#include <memory>
#include <string>

namespace baton::store::postgres {

namespace {

struct Free {
    void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }

    void operator()(char* words) const { PQfreemem(words); }
};

/// Empty when it cannot be read.
std::map<std::string, std::string> parts_of(const std::string& url) {
    char* words = nullptr;
    const std::unique_ptr<PQconninfoOption, Free> options(PQconninfoParse(url.c_str(), &words));
    const std::unique_ptr<char, Free> unsaid(words);
    std::map<std::string, std::string> parts;
    for (const auto* one = options.get(); one != nullptr && one->keyword != nullptr; ++one) {
        parts[one->keyword] = one->val == nullptr ? "" : one->val;
    }
    return parts;
}

} // namespace

bool is_readable(const std::string& url) {
    return !parts_of(url).empty();
}

std::string shown(const std::string& url) {
    auto parts = parts_of(url);
    if (parts.empty()) {
        return "postgresql://…";
    }
    const auto user = parts["user"].empty() ? "" : parts["user"] + "@";
    const auto port = parts["port"].empty() ? "" : ":" + parts["port"];
    return fmt::format("postgresql://{}{}{}/{}", user, parts["host"], port, parts["dbname"]);
}

} // namespace baton::store::postgres
