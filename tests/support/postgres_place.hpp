#pragma once

#include <cstdint>
#include <string>

namespace baton::test {

/// A database of its own on the server that BATON_TEST_POSTGRES names (support/postgres_server.py),
/// with Baton's schema in it unless it is to be empty; removed with this.
class PostgresPlace {
public:
    enum class Holds : std::uint8_t { schema = 1, nothing };

    explicit PostgresPlace(Holds holds = Holds::schema);
    PostgresPlace(const PostgresPlace&) = delete;
    PostgresPlace& operator=(const PostgresPlace&) = delete;
    ~PostgresPlace();

    /// Whether there is such a server.
    static bool is_there();

    std::string url() const;

private:
    std::string name_;
};

} // namespace baton::test
