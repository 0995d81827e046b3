#include "baton/api/table.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::api {
namespace {

namespace json = boost::json;

TEST(Tables, QuoteWhatHasToBeQuotedAndLeaveNumbersAlone) {
    const std::vector<std::pair<json::value, std::string>> cases{
        {nullptr, ""},
        {"", ""},
        {"plain", "plain"},
        {"a,b", "\"a,b\""},
        {"say \"no\"", "\"say \"\"no\"\"\""},
        {"two\nlines", "\"two\nlines\""},
        {-7, "-7"},
        {0.5, "0.5"},
        {0.000125, "0.000125"},
        {true, "true"},
        {json::array{1, 2}, "\"[1,2]\""},
    };
    for (const auto& [value, cell] : cases) {
        EXPECT_EQ(csv_cell(value), cell);
    }
}

TEST(Tables, NeverHandASpreadsheetAFormula) {
    for (const std::string text :
         {"=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "=HYPERLINK(\"http://x\",\"y\")"}) {
        const auto cell = csv_cell(json::value(text));
        EXPECT_TRUE(cell.starts_with("'") || cell.starts_with("\"'")) << cell;
    }
    EXPECT_EQ(csv_cell(json::value(-1)), "-1") << "a number is no text";
}

TEST(Tables, FindValuesInsideOfObjectsByTheirPath) {
    const json::object row{
        {"repo", "down/one"},
        {"rates", json::object{{"final", json::object{{"value", nullptr}, {"n", 0}}}}},
    };
    const std::vector<std::string_view> columns{
        "repo", "rates.final.n", "rates.final.value", "rates.none.n", "absent"
    };
    EXPECT_EQ(csv_head(columns), "repo,rates.final.n,rates.final.value,rates.none.n,absent\r\n");
    EXPECT_EQ(csv_line(row, columns), "down/one,0,,,\r\n");
}

} // namespace
} // namespace baton::api
