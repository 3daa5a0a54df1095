// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/run_query.h"

#include <cmath>
#include <unordered_map>

#include "engine/api/statistics.h"
#include "experiments/blob.h"
#include "experiments/run_config_json.h"
#include "experiments/store_error.h"

namespace kvist::experiments {
namespace {

/// Reads the columns of one row in the order of the SELECT.
class Row {
public:
    explicit Row(const QSqlQuery& query) : m_query(query) {}
    std::string text() { return m_query.value(m_column++).toString().toStdString(); }
    qint64 integer() { return m_query.value(m_column++).toLongLong(); }

private:
    const QSqlQuery& m_query;
    int m_column = 0;
};

const char* const kSelect =
    "SELECT runs.id, state, key, baseline_key, sweeps.name, config, model, model_fingerprint, text_hash, notes,"
    " error_kind, error_message, started_at, device, dtype, threads, runner, tokenizer, kept_digest, machine,"
    " program_version, libtorch_version FROM runs JOIN sweeps ON sweeps.id = sweep_id WHERE removed = 0";

RunRecord recordOf(const QSqlQuery& query) {
    Row row(query);
    RunRecord record;
    record.id = row.integer();
    record.state = runStateOf(row.text());
    record.key = row.text();
    record.baselineKey = row.text();
    record.sweep = row.text();
    record.config = runConfigOf(nlohmann::json::parse(row.text()));
    record.modelName = row.text();
    record.modelFingerprint = row.text();
    record.textHash = row.text();
    if (const std::string notes = row.text(); !notes.empty()) {
        nlohmann::json::parse(notes).get_to(record.notes);
    }
    record.errorKind = row.text();
    record.errorMessage = row.text();
    record.startedAt = row.text();
    record.device = row.text();
    record.dtype = row.text();
    record.threads = static_cast<int>(row.integer());
    record.runner = row.text();
    record.tokenizer = row.text();
    record.keptDigest = row.text();
    record.machine = row.text();
    record.programVersion = row.text();
    record.libtorchVersion = row.text();
    return record;
}

}  // namespace

std::vector<RunRecord> RunQuery::all() {
    return where("", {});
}

std::vector<RunRecord> RunQuery::withIds(const std::vector<RunId>& ids) {
    std::vector<RunRecord> records;
    for (const RunId id : ids) {
        for (RunRecord& record : where(" AND runs.id = ?", {id})) {
            records.push_back(std::move(record));
        }
    }
    return records;
}

std::vector<RunRecord> RunQuery::comparedWith(const std::string& baselineKey) {
    return where(" AND baseline_key = ?", {QString::fromStdString(baselineKey)});
}

std::vector<RunRecord> RunQuery::where(const QString& condition, const QVariantList& values) {
    try {
        std::vector<RunRecord> records;
        QSqlQuery query = m_connection.exec(kSelect + condition + " ORDER BY runs.id", values);
        while (query.next()) {
            records.push_back(recordOf(query));
            readMetrics(records.back());
        }
        compare(records);
        return records;
    } catch (const std::logic_error& error) {
        throw StoreError("The store " + m_connection.path() + " holds a row that cannot be read: " + error.what());
    } catch (const nlohmann::json::exception& error) {
        throw StoreError("The store " + m_connection.path() + " holds a row that cannot be read: " + error.what());
    }
}

void RunQuery::readMetrics(RunRecord& record) {
    QSqlQuery query = m_connection.exec("SELECT name, value FROM metrics WHERE run_id = ?", {record.id});
    while (query.next()) {
        record.metrics[query.value(0).toString().toStdString()] = query.value(1).toDouble();
    }
}

void RunQuery::compare(std::vector<RunRecord>& records) {
    std::unordered_map<std::string, std::vector<float>> baselines;
    for (RunRecord& record : records) {
        if (record.state != RunState::Finished || record.isBaseline()) {
            continue;
        }
        const std::vector<float> own = tokenNll(record.id);
        const auto [found, isNew] = baselines.try_emplace(record.baselineKey);
        if (isNew) {
            found->second = baselineNll(record.baselineKey);
        }
        if (own.empty() || own.size() != found->second.size()) {
            continue;
        }
        const Estimate difference = pairedDifference(own, found->second);
        record.metrics["delta_nll"] = difference.mean;
        record.metrics["perplexity_ratio"] = std::exp(difference.mean);
        const std::span<const float> values(own);
        const double blockError = blockStandardError(values, found->second, bootstrapBlock(own.size()));
        if (!std::isnan(difference.standardError) && !std::isnan(blockError)) {
            record.metrics["delta_nll_stderr"] = difference.standardError;
            record.metrics["delta_nll_stderr_block"] = blockError;
        }
    }
}

std::vector<float> RunQuery::tokenNll(RunId id) {
    QSqlQuery query = m_connection.exec("SELECT token_nll FROM samples WHERE run_id = ?", {id});
    return query.next() ? numbersOf<float>(query.value(0).toByteArray()) : std::vector<float>{};
}

std::vector<float> RunQuery::baselineNll(const std::string& key) {
    QSqlQuery query = m_connection.exec(
        "SELECT id FROM runs WHERE key = ? AND state = 'finished' AND removed = 0 ORDER BY id DESC LIMIT 1",
        {QString::fromStdString(key)});
    return query.next() ? tokenNll(query.value(0).toLongLong()) : std::vector<float>{};
}

RunDetails RunQuery::details(RunId id) {
    RunDetails details;
    QSqlQuery samples = m_connection.exec("SELECT token_nll, step_seconds FROM samples WHERE run_id = ?", {id});
    if (samples.next()) {
        details.tokenNll = numbersOf<float>(samples.value(0).toByteArray());
        details.stepSeconds = numbersOf<double>(samples.value(1).toByteArray());
    }
    QSqlQuery curves = m_connection.exec("SELECT name, x, y FROM curves WHERE run_id = ?", {id});
    while (curves.next()) {
        details.curves[curves.value(0).toString().toStdString()] = {numbersOf<double>(curves.value(1).toByteArray()),
                                                                    numbersOf<double>(curves.value(2).toByteArray())};
    }
    QSqlQuery texts = m_connection.exec("SELECT name, content FROM texts WHERE run_id = ?", {id});
    while (texts.next()) {
        details.texts[texts.value(0).toString().toStdString()] = texts.value(1).toString().toStdString();
    }
    return details;
}

}  // namespace kvist::experiments
