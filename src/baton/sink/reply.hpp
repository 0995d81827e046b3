#pragma once

#include "baton/base/result.hpp"
#include "baton/domain/letter.hpp"
#include "baton/net/client.hpp"

#include <string_view>

namespace baton::sink {

/// What a server said to a letter, for the courier and safe to show. `who` is what people call it;
/// a server that hands our secret back is not quoted.
domain::SinkAnswer answer_in(
    const tl::expected<net::ClientReply, net::ClientFailure>& reply,
    std::string_view who,
    std::string_view secret
);

} // namespace baton::sink
