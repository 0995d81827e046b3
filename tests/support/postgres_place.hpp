#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

    /// The same database through a port of loopback that leads to the server's socket.
    std::string url_at(std::uint16_t port) const;
    /// The Unix socket that the server listens on.
    static std::string socket();
    /// The words of a command that ends the server and starts it again.
    static std::vector<std::string> hands();

private:
    std::string name_;
};

} // namespace baton::test
