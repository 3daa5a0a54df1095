// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/axis_ticks.h"

#include <QLocale>
#include <algorithm>
#include <array>
#include <cmath>

namespace kvist::ui {

namespace {

struct BinaryUnit {
    double size;
    const char* name;
};

constexpr std::array kBinaryUnits{BinaryUnit{1, "B"}, BinaryUnit{1024, "KiB"}, BinaryUnit{1024.0 * 1024, "MiB"},
                                  BinaryUnit{1024.0 * 1024 * 1024, "GiB"}};

const BinaryUnit& binaryUnitFor(double bytes) {
    std::size_t index = 0;
    while (index + 1 < kBinaryUnits.size() && std::abs(bytes) >= kBinaryUnits[index + 1].size) {
        ++index;
    }
    return kBinaryUnits[index];
}

QString numberText(double value, int decimals) {
    QLocale locale = QLocale::c();
    return locale.toString(value, 'f', decimals);
}

std::size_t countOfTicks(double low, double high, double step) {
    return static_cast<std::size_t>(std::max(0.0, std::floor(high / step + 1e-9) - std::ceil(low / step - 1e-9) + 1));
}

/// The smallest step of 1, 2, 2.5 or 5 times a power of ten with at most `most` ticks; where that leaves fewer than
/// three, the step before it.
double roundStep(double low, double high, int most) {
    constexpr std::size_t kLeast = 3;
    const double power = std::pow(10.0, std::floor(std::log10((high - low) / most)) - 1);
    double step = power;
    for (double decade = power; decade <= power * 1e4; decade *= 10) {
        for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
            const std::size_t count = countOfTicks(low, high, factor * decade);
            if (count < kLeast) {
                return step;
            }
            step = factor * decade;
            if (count <= static_cast<std::size_t>(most)) {
                return step;
            }
        }
    }
    return step;
}

int decimalsFor(double step) {
    for (int decimals = 0; decimals < 12; ++decimals) {
        const double scaled = step * std::pow(10.0, decimals);
        if (std::abs(scaled - std::round(scaled)) < 1e-6 * scaled) {
            return decimals;
        }
    }
    return 12;
}

std::vector<AxisTick> linearTicks(const AxisRange& range, double unit, int most) {
    const double low = range.minimum / unit;
    const double high = range.maximum / unit;
    const double step = roundStep(low, high, most);
    const int decimals = decimalsFor(step);
    std::vector<AxisTick> ticks;
    const double first = std::ceil(low / step - 1e-9);
    const double last = std::floor(high / step + 1e-9);
    for (double index = first; index <= last; ++index) {
        const double value = index * step;
        ticks.push_back({value * unit, numberText(value == 0 ? 0 : value, decimals)});
    }
    return ticks;
}

std::vector<AxisTick> powerTicks(const AxisRange& range, double unit, int most) {
    const double low = std::ceil(std::log2(range.minimum / unit) - 1e-9);
    const double high = std::floor(std::log2(range.maximum / unit) + 1e-9);
    std::vector<AxisTick> ticks;
    const double stride = std::max(1.0, std::ceil((high - low + 1) / most));
    for (double exponent = low; exponent <= high; exponent += stride) {
        const double value = std::exp2(exponent);
        ticks.push_back({value * unit, numberText(value, exponent < 0 ? static_cast<int>(-exponent) : 0)});
    }
    return ticks;
}

/// "0.02", and "2·10⁻⁵" where zeros would have to be counted.
QString decimalLabel(int factor, int exponent) {
    constexpr int kMostZeros = 3;
    if (exponent >= -kMostZeros) {
        return numberText(factor * std::pow(10.0, exponent), std::max(0, -exponent));
    }
    static const QString kDigits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString power = QStringLiteral("10⁻");
    for (const QChar digit : QString::number(-exponent)) {
        power += kDigits[digit.digitValue()];
    }
    return factor == 1 ? power : QStringLiteral("%1·%2").arg(factor).arg(power);
}

/// Some of 1, 2, 3 and 5 times powers of ten, for axes that reach far below 1: the most of a kind that are few enough.
std::vector<AxisTick> decimalTicks(const AxisRange& range, int most) {
    const int low = static_cast<int>(std::floor(std::log10(range.minimum)));
    const int high = static_cast<int>(std::ceil(std::log10(range.maximum)));
    std::vector<AxisTick> ticks;
    const auto collect = [&](std::initializer_list<int> factors, int stride) {
        ticks.clear();
        for (int exponent = low; exponent <= high; exponent += stride) {
            for (const int factor : factors) {
                const double value = factor * std::pow(10.0, exponent);
                if (value >= range.minimum && value <= range.maximum) {
                    ticks.push_back({value, decimalLabel(factor, exponent)});
                }
            }
        }
        return ticks.size() <= static_cast<std::size_t>(most);
    };
    if (collect({1, 2, 5}, 1) || collect({1, 3}, 1)) {
        return ticks;
    }
    for (int stride = 1; !collect({1}, stride); ++stride) {
    }
    return ticks;
}

}  // namespace

QString AxisTicks::titled(const QString& title) const {
    return unit.isEmpty() ? title : QStringLiteral("%1 (%2)").arg(title, unit);
}

AxisTicks ticksFor(const ChartAxis& axis, const AxisRange& range, int most) {
    most = std::max(3, most);
    const double largest = std::max(std::abs(range.minimum), std::abs(range.maximum));
    const bool bytes = axis.format == AxisFormat::Bytes;
    const BinaryUnit unit = bytes ? binaryUnitFor(largest) : BinaryUnit{1, ""};
    AxisTicks result;
    result.unit = bytes ? QString::fromLatin1(unit.name) : axis.unit;
    if (axis.scale == AxisScale::Logarithmic) {
        constexpr double kReadableAsPowerOfTwo = 0.1;
        const bool isSmall = !bytes && range.minimum < kReadableAsPowerOfTwo;
        result.ticks = isSmall ? decimalTicks(range, most) : powerTicks(range, unit.size, most);
        if (result.ticks.size() >= 3) {
            return result;
        }
    }
    result.ticks = linearTicks(range, unit.size, most);
    return result;
}

QString formatValue(const ChartAxis& axis, double value, int digits) {
    if (!std::isfinite(value)) {
        return QStringLiteral("–");
    }
    const bool bytes = axis.format == AxisFormat::Bytes;
    const BinaryUnit unit = bytes ? binaryUnitFor(value) : BinaryUnit{1, ""};
    const QString name = bytes ? QString::fromLatin1(unit.name) : axis.unit;
    const double shown = value / unit.size;
    const bool whole = shown == std::round(shown) && std::abs(shown) < 1e15;
    const QString number = whole ? numberText(shown, 0) : QLocale::c().toString(shown, 'g', digits);
    return name.isEmpty() ? number : number + QChar(0x00A0) + name;
}

}  // namespace kvist::ui
