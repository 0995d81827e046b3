#include "support/postgres_place.hpp"

#include "baton/base/time.hpp"
#include "baton/store/postgres/engine.hpp"
#include "baton/store/postgres/postgres_store.hpp"
#include "baton/store/sql/connection.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace baton::test {

namespace {

std::string url_of(const std::string& database) {
    const auto* server = std::getenv("BATON_TEST_POSTGRES");
    std::string url = server == nullptr ? "{}" : server;
    return url.replace(url.find("{}"), 2, database);
}

void command(const std::string& sql) {
    auto db = store::postgres::connect(url_of("postgres"));
    if (!db) {
        throw std::runtime_error(db.error().detail);
    }
    db->script(sql.c_str(), "command");
    if (!db->ok()) {
        throw std::runtime_error(db->failure().text);
    }
}

/// The schema is made once per process and copied from then on.
std::string prepared_template() {
    auto name = fmt::format("template_{}", ::getpid());
    command(fmt::format("CREATE DATABASE {}", name));
    if (auto opened = store::PostgresStore::open({.url = url_of(name)}); !opened) {
        throw std::runtime_error(opened.error().detail);
    }
    return name;
}

} // namespace

bool PostgresPlace::is_there() {
    return std::getenv("BATON_TEST_POSTGRES") != nullptr;
}

PostgresPlace::PostgresPlace(Holds holds) {
    static std::atomic<int> number{0};
    name_ = fmt::format("baton_{}_{}", ::getpid(), ++number);
    if (holds == Holds::nothing) {
        command(fmt::format("CREATE DATABASE {}", name_));
        return;
    }
    static const auto prepared = prepared_template();
    command(fmt::format("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY", name_, prepared));
}

PostgresPlace::~PostgresPlace() {
    command(fmt::format("DROP DATABASE {} WITH (FORCE)", name_));
}

std::string PostgresPlace::url() const {
    return url_of(name_);
}

std::string PostgresPlace::url_at(std::uint16_t port) const {
    return fmt::format("postgresql://baton@127.0.0.1:{}/{}?sslmode=disable", port, name_);
}

std::string PostgresPlace::socket() {
    constexpr std::string_view kFolder = "host=";
    const auto url = url_of("postgres");
    const auto from = url.find(kFolder) + kFolder.size();
    return url.substr(from, url.find('&', from) - from) + "/.s.PGSQL.5432";
}

std::vector<std::string> PostgresPlace::hands() {
    const auto* words = std::getenv("BATON_TEST_POSTGRES_HANDS");
    std::istringstream line(words == nullptr ? "" : words);
    return {std::istream_iterator<std::string>(line), {}};
}

} // namespace baton::test
