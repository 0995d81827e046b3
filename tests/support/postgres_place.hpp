#pragma once

#include <string>

namespace baton::test {

/// A database of its own on the server that BATON_TEST_POSTGRES names (support/postgres_server.py),
/// with Baton's schema in it; removed with this.
class PostgresPlace {
public:
    PostgresPlace();
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
