#include "baton/api/listener.hpp"
#include "baton/api/news_hub.hpp"
#include "baton/api/stream.hpp"
#include "baton/base/result.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/views.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/manual_clock.hpp"
#include "unit/api/news_stage.hpp"

namespace baton::api {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class NewsHubTest : public NewsStage {};

TEST_F(NewsHubTest, TellsEverybodyWhatIsNewBehindTheirPlace) {
    happen(1);
    look();
    const auto early = join();
    happen(2);
    look();
    const auto late = join();
    happen(3);
    look();
    EXPECT_THAT(told(early), ElementsAre(2, 3));
    EXPECT_THAT(told(late), ElementsAre(3)) << "the rest was there before it came";
}

TEST_F(NewsHubTest, TellsWhoJoinsWhileTheStoreIsAsked) {
    const auto first = join();
    happen(1);
    views.while_asked = [this] { second = join(); };
    look();
    views.while_asked = {};
    ASSERT_TRUE(second);
    look();
    EXPECT_THAT(told(first), ElementsAre(1));
    EXPECT_THAT(told(*second), ElementsAre(1)) << "its place was before it";
}

TEST_F(NewsHubTest, TellsTheFirstWhoJoinsWhileTheStoreIsAsked) {
    happen(1);
    views.while_asked = [this] {
        if (!second) {
            second = join();
        }
    };
    look();
    look();
    ASSERT_TRUE(second);
    EXPECT_EQ(second->after, 0);
    EXPECT_THAT(told(*second), ElementsAre(1)) << "its place was before it";
}

TEST_F(NewsHubTest, TellsOfSeveralAboutOneSubjectOnlyTheNewest) {
    const auto listener = join();
    happen(1, 7);
    happen(2, 8);
    happen(3, 7);
    look();
    EXPECT_THAT(told(listener), ElementsAre(2, 3));
}

TEST_F(NewsHubTest, KeepsToItselfWhoIsNotForEverybodyToSee) {
    const auto listener = join();
    happen(1, 7, "down/secret");
    happen(2, 7, "down/open");
    look();
    EXPECT_THAT(told(listener), ElementsAre(2));
}

TEST_F(NewsHubTest, SaysWhenMoreWasMissedThanIsKept) {
    const auto listener = join();
    happen(500);
    views.oldest = 400;
    look();
    EXPECT_THAT(text_of(listener), HasSubstr("event: resync"));
    happen(501);
    look();
    EXPECT_THAT(told(listener), ElementsAre(501)) << "it goes on from there";
}

TEST_F(NewsHubTest, DropsAListenerThatDoesNotRead) {
    const auto listener = join();
    const std::string much(Listener::kBacklogMax, 'x');
    EXPECT_TRUE(listener.listener->tell(much));
    happen(1);
    look();
    EXPECT_EQ(text_of(listener).size(), much.size());
    EXPECT_FALSE(next(listener)) << "it comes back with the last id that it read";
}

TEST_F(NewsHubTest, LetsEverybodyGoWhenItCloses) {
    const auto listener = join();
    hub.close();
    EXPECT_FALSE(next(listener));
    EXPECT_FALSE(hub.join(loop.get_executor()));
}

TEST_F(NewsHubTest, ForgetsNothingWhileTheStoreIsAway) {
    const auto listener = join();
    happen(1);
    views.away = true;
    look();
    EXPECT_THAT(told(listener), IsEmpty());
    views.away = false;
    look();
    EXPECT_THAT(told(listener), ElementsAre(1));
}

TEST_F(NewsHubTest, TellsAStreamFirstWhatItMissed) {
    happen(1);
    happen(2);
    look();
    const auto body = [this](const std::string& query) { return stream(query).body; };
    EXPECT_THAT(ids_in(body("from=0")), ElementsAre(1, 2));
    EXPECT_THAT(ids_in(body("from=1")), ElementsAre(2));
    EXPECT_THAT(ids_in(body("from=2")), IsEmpty());
    EXPECT_THAT(ids_in(body("")), IsEmpty()) << "from now on";
    EXPECT_THAT(body("from=3"), HasSubstr("event: resync")) << "an id that was never given";
    EXPECT_EQ(stream("from=x").status, 400);
}

} // namespace
} // namespace baton::api
