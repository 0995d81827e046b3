#include "baton/config/config.hpp"
#include "baton/config/read_store.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace baton::config {

namespace {

StorePathReading read(const std::string& text) {
    const Surroundings surroundings{
        .environment = [](const std::string& name) -> std::optional<std::string> {
            return name == "STORE" ? std::optional<std::string>("sqlite:/var/lib/baton.db")
                                   : std::nullopt;
        },
        .read_file = [text](const std::string& path) -> Result<std::string> {
            return path == "/etc/baton/baton.yml" ? Result<std::string>(text)
                                                  : fail(Errc::not_found, "no such file");
        },
    };
    return load_store_path("/etc/baton/baton.yml", surroundings);
}

struct Case {
    const char* name;
    const char* text;
    const char* path; // empty: refused
};

constexpr Case kCases[] = {
    {"counted from the file", "store: sqlite:data/baton.db", "/etc/baton/data/baton.db"},
    {"absolute", "store: sqlite:/srv/baton.db", "/srv/baton.db"},
    {"by a variable", "store: {env: STORE}", "/var/lib/baton.db"},
    {"left out", "listen: 127.0.0.1:0", "/etc/baton/baton.db"},
    {"an empty file", "", "/etc/baton/baton.db"},
    {"secrets that nobody set", "github: {private_key: {env: NOBODY}}", "/etc/baton/baton.db"},
    {"keys that nobody knows", "colour: red\nstore: sqlite:a.db", "/etc/baton/a.db"},
    {"another database", "store: postgresql://host/db", "postgresql://host/db"},
    {"a password in the address", "store: postgresql://u:p@host/db", ""},
    {"no scheme", "store: baton.db", ""},
    {"a variable that is not set", "store: {env: NOBODY}", ""},
    {"no YAML", "store: [", ""},
};

TEST(StorePath, IsReadWhateverElseTheFileSays) {
    for (const auto& c : kCases) {
        SCOPED_TRACE(c.name);
        const auto reading = read(c.text);
        EXPECT_EQ(reading.path.value_or(""), c.path);
        EXPECT_EQ(domain::has_errors(reading.findings), std::string(c.path).empty());
    }
}

TEST(StorePath, KnowsAPasswordInAnAddress) {
    for (const auto* url :
         {"postgresql://u:p@h/d", "postgres://u:@h", "postgresql://h/d?user=u&password=p"}) {
        EXPECT_TRUE(carries_password(url)) << url;
    }
    for (const auto* url :
         {"postgresql://u@h:5432/d",
          "postgresql:///d?host=/run",
          "postgresql://u@a:1,b:2/d",
          "postgresql://u@h/d?passfile=/etc/pgpass"}) {
        EXPECT_FALSE(carries_password(url)) << url;
    }
}

TEST(StorePath, SaysWhyAFileCannotBeRead) {
    const Surroundings nothing{
        .environment = [](const std::string&) { return std::nullopt; },
        .read_file = [](const std::string&) -> Result<std::string> {
            return fail(Errc::not_found, "no such file");
        },
    };
    const auto reading = load_store_path("baton.yml", nothing);
    EXPECT_FALSE(reading.path);
    ASSERT_EQ(reading.findings.size(), 1U);
    EXPECT_EQ(
        domain::to_text(reading.findings[0], "baton.yml"),
        "baton.yml: error: cannot be read: no such file"
    );
}

} // namespace

} // namespace baton::config
