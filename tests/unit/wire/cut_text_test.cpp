#include "baton/base/text.hpp"
#include "baton/wire/cut_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <string>

namespace baton::wire {
namespace {

TEST(CutText, LeavesAloneWhatFits) {
    EXPECT_EQ(cut_end("test_add", 8), "test_add");
    EXPECT_EQ(cut_middle("test_add", 8), "test_add");
    EXPECT_EQ(cut_end("", 0), "");
}

TEST(CutText, MarksWhatItCut) {
    EXPECT_EQ(cut_end("0123456789", 9), "012 [cut]");
    EXPECT_EQ(cut_middle("0123456789abcdef", 15), "0123\n[cut]\ncdef");
}

TEST(CutText, NeverCutsInsideACharacter) {
    // Four bytes of 🏃 begin at offset 2; a cut at 8 - 6 falls before it, one at 11 - 6 inside.
    EXPECT_EQ(cut_end("ab\xF0\x9F\x8F\x83 runs far away", 8), "ab [cut]");
    EXPECT_EQ(cut_end("ab\xF0\x9F\x8F\x83 runs far away", 11), "ab [cut]");
    EXPECT_EQ(cut_end("ab\xF0\x9F\x8F\x83 runs far away", 12), "ab\xF0\x9F\x8F\x83 [cut]");
}

TEST(CutText, ReplacesWhatIsNoUtf8) {
    EXPECT_EQ(
        cut_end(
            "a\xFF"
            "b",
            10
        ),
        "a\xEF\xBF\xBD"
        "b"
    );
    EXPECT_EQ(
        cut_middle(
            "a\xFF"
            "b",
            10
        ),
        "a\xEF\xBF\xBD"
        "b"
    );
}

RC_GTEST_PROP(CutText, IsUtf8WithinItsLimitWhateverComesIn, (const std::string& text)) {
    const auto limit = *rc::gen::inRange<std::size_t>(0, 40);
    for (const auto& cut : {cut_end(text, limit), cut_middle(text, limit)}) {
        RC_ASSERT(cut.size() <= limit);
        RC_ASSERT(!broken_utf8_at(cut));
    }
}

} // namespace
} // namespace baton::wire
