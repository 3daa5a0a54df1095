// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/cache/codecs/rotation_codec.h"

namespace kvist {

/// Bits between whole numbers, as TurboQuant's experiments have them (Zandieh et al. 2025, arXiv 2504.19874, section
/// 4.3): a part of the channels, the outliers, has its own rotation, codes and length, usually with one bit more. Which
/// channels are outliers the paper leaves open; here it is those of the largest squares over the rows of a group, which
/// holds their mask.
class OutlierCodec : public EntryCodec {
public:
    /// Each codes the channels of its part; together they are a row's. `groupRows` rows have the same outliers.
    OutlierCodec(std::shared_ptr<const RotationCodec> outliers, std::shared_ptr<const RotationCodec> others,
                 std::int64_t groupRows);

    std::int64_t groupRows() const override { return m_groupRows; }
    std::int64_t codeBytes() const override;
    std::int64_t scaleBytes() const override;
    void encode(const RowGroup& group, std::byte* out) const override;
    void decode(const std::byte* in, std::int64_t count, float* rows) const override;

    /// Ascending numbers of a group's outliers; of equal channels the lower ones.
    std::vector<std::int64_t> outliers(const RowGroup& group) const;

private:
    std::int64_t rowBytes() const { return m_outliers->groupBytes() + m_others->groupBytes(); }

    std::shared_ptr<const RotationCodec> m_outliers;
    std::shared_ptr<const RotationCodec> m_others;
    std::int64_t m_count;  // of outliers
    std::int64_t m_headDim;
    std::int64_t m_groupRows;
};

}  // namespace kvist
