// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/icons.h"

#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>

#include "ui/style/theme_colors.h"

namespace kvist::ui {

namespace {

QByteArray drawing(const QString& name) {
    static QHash<QString, QByteArray> cache;
    auto found = cache.constFind(name);
    if (found == cache.constEnd()) {
        QFile file(QStringLiteral(":/kvist/icons/%1.svg").arg(name));
        found = cache.insert(name, file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray());
    }
    return *found;
}

void paintDrawing(QPainter& painter, const QString& name, const QColor& color, const QRectF& area) {
    QByteArray svg = drawing(name);
    svg.replace("currentColor", color.name().toLatin1());
    QSvgRenderer(svg).render(&painter, area);
}

class ThemedIconEngine : public QIconEngine {
public:
    explicit ThemedIconEngine(QString name) : m_name(std::move(name)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const ThemeColors& colors = currentColors();
        QColor color = colors.text;
        if (mode == QIcon::Disabled) {
            color = colors.muted;
            painter->setOpacity(0.6);
        } else if (mode == QIcon::Selected) {
            color = colors.accentText;
        }
        const int extent = std::min(rect.width(), rect.height());
        QRectF area(0, 0, extent, extent);
        area.moveCenter(QRectF(rect).center());
        paintDrawing(*painter, m_name, color, area);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }

    QIconEngine* clone() const override { return new ThemedIconEngine(m_name); }
    QString key() const override { return QStringLiteral("kvist-") + m_name; }
    bool isNull() override { return drawing(m_name).isEmpty(); }

private:
    QString m_name;
};

}  // namespace

QIcon themedIcon(const QString& name) {
    return QIcon(new ThemedIconEngine(name));
}

QPixmap tintedPixmap(const QString& name, const QColor& color, int extent, qreal scale) {
    const int size = qRound(extent * scale);
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paintDrawing(painter, name, color, QRectF(0, 0, size, size));
    painter.end();
    pixmap.setDevicePixelRatio(scale);
    return pixmap;
}

QIcon applicationIcon() {
    return QIcon(QStringLiteral(":/kvist/icons/kvist.svg"));
}

}  // namespace kvist::ui
