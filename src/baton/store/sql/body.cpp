#include "baton/store/sql/body.hpp"

#include "baton/base/assert.hpp"
#include "baton/base/result.hpp"

#include <zstd.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace baton::store::sql {

namespace {

constexpr int kLevel = 1;

struct FreeCompressor {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

struct FreeDecompressor {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

ZSTD_CCtx* compressor() {
    thread_local const std::unique_ptr<ZSTD_CCtx, FreeCompressor> context(ZSTD_createCCtx());
    BATON_ASSERT(context != nullptr);
    return context.get();
}

ZSTD_DCtx* decompressor() {
    thread_local const std::unique_ptr<ZSTD_DCtx, FreeDecompressor> context(ZSTD_createDCtx());
    BATON_ASSERT(context != nullptr);
    return context.get();
}

} // namespace

std::string compress(std::string_view raw) {
    const auto room = ZSTD_compressBound(raw.size());
    const auto scratch = std::make_unique_for_overwrite<char[]>(room);
    const auto size =
        ZSTD_compressCCtx(compressor(), scratch.get(), room, raw.data(), raw.size(), kLevel);
    BATON_ASSERT(ZSTD_isError(size) == 0); // the room suffices by zstd's own word
    return std::string(scratch.get(), size);
}

Result<std::string> decompress(std::string_view packed, std::size_t raw_bytes) {
    std::string raw(raw_bytes, '\0');
    const auto size =
        ZSTD_decompressDCtx(decompressor(), raw.data(), raw.size(), packed.data(), packed.size());
    if (ZSTD_isError(size) != 0 || size != raw_bytes) {
        return fail(
            Errc::unavailable,
            "a stored body is damaged; restore a backup or ask GitHub to redeliver it"
        );
    }
    return raw;
}

} // namespace baton::store::sql
