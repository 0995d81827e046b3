#include "baton/crypto/rsa_key.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <istream>
#include <string>
#include <vector>

#include "e2e/cli_support.hpp"

namespace baton::test {

namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// The first line of the answer to a request without a body.
std::string ask(const std::string& url, const std::string& request_line) {
    boost::asio::io_context loop;
    boost::asio::ip::tcp::socket socket(loop);
    const auto port = std::stoi(url.substr(url.rfind(':') + 1));
    socket.connect(
        {boost::asio::ip::address_v4::loopback(), static_cast<boost::asio::ip::port_type>(port)}
    );
    boost::asio::write(
        socket,
        boost::asio::buffer(request_line + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    );
    boost::asio::streambuf reply;
    boost::asio::read_until(socket, reply, "\r\n");
    std::istream in(&reply);
    std::string line;
    std::getline(in, line);
    return line;
}

TEST(Sim, AnswersUntilItIsToldToStop) {
    for (const int signal : {SIGTERM, SIGINT}) {
        const TemporaryFolder folder;
        Process sim({.command = {baton_binary(), "sim", "--make-key", folder.file("app.pem")}});
        const auto url = sim.read_line(seconds(30));
        ASSERT_TRUE(url);
        EXPECT_THAT(*url, StartsWith("http://127.0.0.1:"));
        EXPECT_THAT(ask(*url, "GET /_sim/health"), HasSubstr(" 200 "));
        EXPECT_THAT(ask(*url, "GET /app"), HasSubstr(" 401 "));
        sim.send_signal(signal);
        const auto ending = sim.wait(seconds(10));
        ASSERT_TRUE(ending);
        EXPECT_EQ(ending->exit_code, 0);
    }
}

TEST(Sim, MakesAKeyThatOnlyItsOwnerReadsAndNeverOverAnother) {
    const TemporaryFolder folder;
    const auto key = folder.file("app.pem");
    {
        Process sim({.command = {baton_binary(), "sim", "--make-key", key}});
        ASSERT_TRUE(sim.read_line(seconds(30)));
    }
    EXPECT_TRUE(crypto::AppKey::parse(slurp(key)));
    struct stat facts{};
    ASSERT_EQ(::stat(key.c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777U, 0600U);

    const auto refused = baton({"sim", "--make-key", key});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("app.pem is there already and is not overwritten"));
    EXPECT_THAT(refused.err, HasSubstr("use it with --public-key " + key));
    EXPECT_TRUE(crypto::AppKey::parse(slurp(key)));

    Process again({.command = {baton_binary(), "sim", "--public-key", key}}); // its public half
    EXPECT_TRUE(again.read_line(seconds(30)));
}

TEST(Sim, LeavesNoKeyBehindWhenTheAddressIsTaken) {
    const TemporaryFolder folder;
    boost::asio::io_context loop;
    const boost::asio::ip::tcp::acceptor taken(
        loop, {boost::asio::ip::address_v4::loopback(), 0}, false
    );
    const auto key = folder.file("app.pem");
    const auto port = std::to_string(taken.local_endpoint().port());
    const auto refused = baton({"sim", "--make-key", key, "--port", port});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("the address is in use"));
    EXPECT_NE(::access(key.c_str(), F_OK), 0) << "the same command works once the port is free";
}

TEST(Sim, RefusesWhatItCannotUse) {
    const TemporaryFolder folder;
    const auto rubbish = folder.write("rubbish.pem", "no key");
    boost::asio::io_context loop;
    const boost::asio::ip::tcp::acceptor taken(
        loop, {boost::asio::ip::address_v4::loopback(), 0}, false
    );
    const auto key = folder.write("good.pem", private_key_pem());

    struct Case {
        std::vector<std::string> arguments;
        std::string sentence;
    };

    const std::vector<Case> cases{
        {{}, "--public-key FILE or --make-key FILE"},
        {{"--public-key", rubbish}, "rubbish.pem: this is no RSA public key"},
        {{"--public-key", folder.file("none.pem")}, "none.pem: No such file"},
        {{"--public-key", key, "--port", std::to_string(taken.local_endpoint().port())},
         "the address is in use"},
        {{"--public-key",
          key,
          "--webhook-url",
          "http://127.0.0.1:1/",
          "--webhook-secret-env",
          "BATON_TEST_UNSET"},
         "the environment variable BATON_TEST_UNSET is not set"},
        {{"--public-key", key, "--webhook-secret-env", "HOME"}, "--webhook-url"},
        {{"--public-key", key, "--port", "70000"}, "--port"},
        {{"--public-key", key, "--calls-per-hour", "0"}, "--calls-per-hour"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.sentence);
        std::vector<std::string> arguments{"sim"};
        arguments.insert(arguments.end(), c.arguments.begin(), c.arguments.end());
        const auto refused = baton(arguments);
        EXPECT_EQ(refused.exit_code, 2);
        EXPECT_THAT(refused.err, HasSubstr(c.sentence));
        EXPECT_EQ(refused.out, "");
    }
}

} // namespace

} // namespace baton::test
