#include "baton/base/ids.hpp"
#include "baton/domain/gate_suspension.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace baton::domain {
namespace {

RepoName repo(std::string_view name) {
    return *RepoName::parse(name);
}

GateSuspension suspended(std::string_view upstream, std::string_view downstream) {
    return {
        .upstream = repo(upstream),
        .downstream = repo(downstream),
        .since = {},
        .reason = std::string(downstream) + " is silent",
        .evidence = {},
        .actor = "baton",
    };
}

TEST(GateSuspension, IsOfOneUpstreamAndOneDownstream) {
    const std::vector all{suspended("up/one", "down/a"), suspended("up/two", "down/b")};
    const auto found =
        suspension_of(all, {.upstream = repo("Up/Two"), .downstream = repo("down/B")});
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->reason, "down/b is silent");
    EXPECT_FALSE(suspension_of(all, {.upstream = repo("up/one"), .downstream = repo("down/b")}));
    EXPECT_FALSE(suspension_of({}, {.upstream = repo("up/one"), .downstream = repo("down/a")}));
}

} // namespace
} // namespace baton::domain
