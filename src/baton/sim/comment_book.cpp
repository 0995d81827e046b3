#include "baton/sim/comment_book.hpp"

#include "baton/base/ids.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/post.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace baton::sim {

PostReply read_comment(const boost::json::value& body, std::string& text) {
    constexpr std::size_t kMax = 65'536;
    if (!body.is_object()) {
        return {.status = 400, .message = "Body should be a JSON object"};
    }
    const auto* const found = body.as_object().if_contains("body");
    if (found == nullptr) {
        return {.status = 422, .message = "Invalid request.\n\n\"body\" wasn't supplied."};
    }
    if (!found->is_string()) {
        return {
            .status = 422,
            .message = "Invalid request.\n\nFor 'properties/body', the value is not a string.",
        };
    }
    text = found->as_string();
    if (text.empty()) {
        return {.status = 422, .message = "Validation Failed: body can't be blank"};
    }
    if (text.size() > kMax) {
        return {
            .status = 422,
            .message = "Validation Failed: body is too long (maximum is 65536 characters)",
        };
    }
    return {};
}

IssueComment& CommentBook::add(IssueComment comment) {
    comment.id = next_++;
    return comments_.emplace(comment.id, std::move(comment)).first->second;
}

IssueComment* CommentBook::find(std::int64_t id) {
    const auto found = comments_.find(id);
    return found == comments_.end() ? nullptr : &found->second;
}

std::vector<const IssueComment*> CommentBook::of(RepoId repo, PrNumber pr) const {
    std::vector<const IssueComment*> out;
    for (const auto& [id, comment] : comments_) {
        if (comment.repo == repo && comment.pr == pr) {
            out.push_back(&comment);
        }
    }
    return out;
}

} // namespace baton::sim
