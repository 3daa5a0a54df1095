// SPDX-License-Identifier: GPL-3.0-or-later
// Colours can be read and told apart in both themes; icons and theme follow the palette.
#include <QApplication>
#include <QDir>
#include <QTest>

#include "ui/style/icons.h"
#include "ui/style/metrics.h"
#include "ui/style/series_mark.h"
#include "ui/style/theme.h"

namespace kvist::ui {

class StyleTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textIsReadable() {
        for (const ThemeColors* colors : {&lightColors(), &darkColors()}) {
            for (const QColor& behind : {colors->base, colors->window}) {
                for (const QColor& text : {colors->text, colors->muted, colors->warning, colors->error}) {
                    QVERIFY2(contrastRatio(text, behind) >= 4.5,
                             qPrintable(QStringLiteral("%1 on %2").arg(text.name(), behind.name())));
                }
            }
            QVERIFY(contrastRatio(colors->accentText, colors->accent) >= 4.5);
            QVERIFY(contrastRatio(colors->text, colors->selection) >= 4.5);
        }
    }

    void contrastIsThatOfTheStandard() {
        QCOMPARE(contrastRatio(Qt::black, Qt::white), 21.0);
        QVERIFY(qAbs(contrastRatio(QColor("#767676"), Qt::white) - 4.54) < 0.01);
    }

    void seriesAreTheGivenColoursAndVisibleInTheDark() {
        QCOMPARE(seriesColor({0, 0}, lightColors()), QColor("#0072B2"));
        QCOMPARE(seriesColor({5, 0}, lightColors()), QColor("#56B4E9"));
        for (int color = 0; color < kSeriesColorCount; ++color) {
            QVERIFY(contrastRatio(seriesColor({color, 0}, darkColors()), darkColors().base) >= 3.0);
        }
    }

    void seriesDifferInASecondCue() {
        for (int color = 0; color < kSeriesColorCount; ++color) {
            const SeriesStyle one{color, 0};
            const SeriesStyle variant{color, 1};
            const SeriesStyle sameColor{color + kSeriesColorCount, 0};
            QVERIFY(seriesDash(one) != seriesDash(variant));
            QVERIFY(seriesDash(one) != seriesDash(sameColor));
            QCOMPARE(seriesColor(one, lightColors()), seriesColor(sameColor, lightColors()));
        }
        QVERIFY(styleOfPolicy("full").isBaseline);
        QCOMPARE(seriesDash(styleOfPolicy("full")), Qt::DashLine);
        QVERIFY(!(styleOfPolicy("window") == styleOfPolicy("attention-score")));
    }

    void themeChangesPaletteAndSheet() {
        Theme theme;
        theme.setChoice(ThemeChoice::Dark);
        QVERIFY(currentColors().isDark);
        QCOMPARE(QApplication::palette().color(QPalette::Base), darkColors().base);
        QVERIFY(!qApp->styleSheet().contains(QLatin1Char('@')));
        theme.setChoice(ThemeChoice::Light);
        QVERIFY(!currentColors().isDark);
        QVERIFY(!qApp->styleSheet().isEmpty());
    }

    void everyIconDraws() {
        const QStringList names = QDir(QStringLiteral(":/kvist/icons")).entryList();
        QVERIFY(names.size() > 30);
        for (const QString& file : names) {
            const QImage image =
                tintedPixmap(file.chopped(4), Qt::red, 32, 1).toImage().convertToFormat(QImage::Format_ARGB32);
            bool isDrawn = false;
            for (int pixel = 0; pixel < 32 * 32; ++pixel) {
                isDrawn = isDrawn || image.pixelColor(pixel % 32, pixel / 32).alpha() > 200;
            }
            QVERIFY2(isDrawn, qPrintable(file));
        }
    }

    void digitsAreEquallyWide() {
        const QFontMetrics metrics(tabularFont(QApplication::font()));
        for (char digit = '1'; digit <= '9'; ++digit) {
            QCOMPARE(metrics.horizontalAdvance(QLatin1Char(digit)), metrics.horizontalAdvance(QLatin1Char('0')));
        }
    }
};

}  // namespace kvist::ui

QTEST_MAIN(kvist::ui::StyleTest)
#include "style_test.moc"
