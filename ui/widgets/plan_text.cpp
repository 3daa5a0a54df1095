// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/plan_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <cmath>

#include "experiments/budget.h"

namespace kvist::ui {

namespace {

QString tr(const char* text, int count = -1) {
    return QCoreApplication::translate("PlanText", text, nullptr, count);
}

QString bytes(std::int64_t count) {
    return QString::fromStdString(experiments::bytesText(count));
}

}  // namespace

QString planCountText(const experiments::SweepPlan& plan, bool repeatsStored) {
    const auto all = static_cast<int>(plan.runs.size());
    const auto stored = static_cast<int>(plan.storedCount());
    const auto measured = static_cast<int>(runsToMeasure(plan, repeatsStored));
    if (stored == 0) {
        return all == 1 ? tr("1 run") : tr("%n runs", all);
    }
    return repeatsStored ? tr("%1 runs, %2 of them measured again").arg(all).arg(stored)
                         : tr("%1 runs: %2 new, %3 already stored").arg(all).arg(measured).arg(stored);
}

QString planDetailsText(const experiments::SweepPlan& plan, bool repeatsStored) {
    QStringList lines;
    if (runsToMeasure(plan, repeatsStored) > 0) {
        const double seconds = plan.secondsToMeasure(repeatsStored);
        lines << (std::isfinite(seconds) ? tr("about %1").arg(durationText(seconds)) : tr("time not known yet"));
    }
    if (plan.machine.availableBytes > 0) {
        lines << tr("at most %1 of cache, %2 with the weights, %3 free")
                     .arg(bytes(plan.largestKvBytes()), bytes(plan.largestMemory()),
                          bytes(plan.machine.availableBytes));
    } else {
        lines << tr("at most %1 of cache").arg(bytes(plan.largestKvBytes()));
    }
    if (const auto added = plan.addedBaselineCount(); added > 0) {
        lines << tr("includes %1 full-cache baseline to compare with").arg(added);
    }
    if (const auto refused = plan.refusedCount(); refused > 0) {
        for (const experiments::PlannedRun& run : plan.runs) {
            if (!run.isRunnable()) {
                lines << tr("%1 cannot run: %2").arg(refused).arg(QString::fromStdString(run.refusal));
                break;
            }
        }
    }
    return lines.join(QLatin1Char('\n'));
}

std::size_t runsToMeasure(const experiments::SweepPlan& plan, bool repeatsStored) {
    return plan.newCount() + (repeatsStored ? plan.storedCount() : 0);
}

QString durationText(double seconds) {
    if (!std::isfinite(seconds)) {
        return QStringLiteral("–");
    }
    const auto whole = static_cast<qint64>(std::llround(std::max(0.0, seconds)));
    if (whole >= 3600) {
        return tr("%1 h %2 min").arg(whole / 3600).arg(whole % 3600 / 60, 2, 10, QLatin1Char('0'));
    }
    if (whole >= 60) {
        return QStringLiteral("%1:%2 min").arg(whole / 60).arg(whole % 60, 2, 10, QLatin1Char('0'));
    }
    return tr("%1 s").arg(whole);
}

}  // namespace kvist::ui
