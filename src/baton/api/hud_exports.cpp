// CSV and NDJSON of each list: the same answers as the JSON's, page after page, each sent before
// the next is asked for.

#include "baton/api/hud_export_tables.hpp"
#include "baton/api/hud_parts.hpp"
#include "baton/api/hud_query.hpp"
#include "baton/api/problem.hpp"
#include "baton/api/table.hpp"
#include "baton/base/result.hpp"
#include "baton/net/http.hpp"
#include "baton/net/server.hpp"
#include "baton/net/url.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::api {

namespace asio = boost::asio;
namespace json = boost::json;

namespace {

constexpr std::size_t kRowsMax = 1'000'000;
constexpr std::string_view kPageRows = "200";

enum class Form : std::uint8_t { csv = 1, ndjson };

// --- sending

/// One file on its way: knows where the next page begins.
class Export {
public:
    Export(Around around, net::Request request, std::shared_ptr<const ExportTable> table, Form form)
        : around_(std::move(around))
        , head_(std::move(request.head))
        , captures_(std::move(request.captures))
        , table_(std::move(table))
        , form_(form) {}

    /// The next piece; nullopt: that was all.
    asio::awaitable<Result<std::optional<std::string>>> next() {
        if (over_) {
            co_return std::nullopt;
        }
        BATON_CO_TRY(auto answer, co_await table_->answer(around_, page_request()));
        const auto* behind = answer.if_contains("next");
        const auto* cursor = behind == nullptr ? nullptr : behind->if_string();
        cursor_ = cursor == nullptr ? std::string() : std::string(*cursor);
        std::string text = first_ && form_ == Form::csv ? csv_head(table_->columns) : "";
        first_ = false;
        for (auto& row : table_->rows(std::move(answer))) {
            if (rows_ == kRowsMax) {
                break;
            }
            ++rows_;
            text += text_of(std::move(row));
        }
        over_ = cursor_.empty() || rows_ == kRowsMax;
        co_return text;
    }

private:
    net::Request page_request() const {
        net::Request page;
        page.head = head_;
        page.captures = captures_;
        if (table_->in_pages) {
            auto& query = page.head.query;
            query += fmt::format("{}limit={}", query.empty() ? "" : "&", kPageRows);
            query += cursor_.empty() ? "" : "&cursor=" + net::percent_encode(cursor_);
        }
        return page;
    }

    std::string text_of(json::object row) const {
        if (form_ == Form::ndjson) {
            return json::serialize(row) + "\n";
        }
        if (table_->cells == nullptr) {
            return csv_line(row, table_->columns);
        }
        std::string text;
        for (const auto& line : table_->cells(std::move(row))) {
            text += csv_line(line, table_->columns);
        }
        return text;
    }

    Around around_;
    net::RequestHead head_;
    std::vector<std::string> captures_;
    std::shared_ptr<const ExportTable> table_;
    Form form_;
    std::string cursor_;
    std::size_t rows_{0};
    bool first_{true};
    bool over_{false};
};

/// What cannot be sent whole is broken off, so that nobody takes a part for the whole.
asio::awaitable<std::optional<std::string>> piece_of(std::shared_ptr<Export> file) {
    auto piece = co_await file->next();
    if (!piece) {
        throw std::runtime_error("a table broke off: " + piece.error().detail);
    }
    co_return *std::move(piece);
}

asio::awaitable<net::Response>
send(Around around, net::Request request, std::shared_ptr<const ExportTable> table, Form form) {
    if (auto known = HudQuery(request).only(table->parameters); !known) {
        co_return problem_of(known.error());
    }
    const auto name = request.head.path.substr(request.head.path.rfind('/') + 1);
    auto file = std::make_shared<Export>(std::move(around), std::move(request), table, form);
    auto first = co_await file->next();
    if (!first) {
        co_return problem_of(first.error());
    }
    net::Response response;
    response.content_type = form == Form::csv ? "text/csv; charset=utf-8" : "application/x-ndjson";
    response.headers.add("Cache-Control", "no-store");
    response.headers.add("Content-Disposition", fmt::format("attachment; filename=\"{}\"", name));
    response.body = (*std::move(first)).value_or("");
    response.more = [file] { return piece_of(file); };
    co_return response;
}

} // namespace

std::vector<net::Route> export_routes(const Around& around) {
    std::vector<net::Route> routes;
    for (auto& one : export_tables()) {
        const auto table = std::make_shared<const ExportTable>(std::move(one));
        for (const auto form : {Form::csv, Form::ndjson}) {
            routes.push_back({
                .method = "GET",
                .path = std::string(table->path) + (form == Form::csv ? ".csv" : ".ndjson"),
                .handler = [around, table, form](net::Request request
                           ) { return send(around, std::move(request), table, form); },
            });
        }
    }
    return routes;
}

} // namespace baton::api
