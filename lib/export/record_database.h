// Stored runs as an SQL database (SQLite), for questions about many of them at once.
//
// runs          a row a run: run (its number), path, folder (of its experiment, which a record that was moved
//               calls otherwise), experiment, profile, arm, seed, status, started, finished, ended_by,
//               and a column for every figure of any run's summary (f1, accuracy, parameters, …)
// config, environment, data
//               run, key, value: what the record holds, keys as `inspect` prints them (model.d_model; an arm's
//               own without "arms[0]"), numbers as numbers, lists as JSON
// metrics       run, split, name, step, value: the curves
// predictions   run, id, and a column for every column of any run's predictions (gold, prediction, f1, …)
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "record/run_record.h"

struct sqlite3;

namespace minibert {

struct QueryAnswer {
  std::vector<std::string> columns;
  std::vector<std::vector<nlohmann::json>> rows;  // null, numbers, texts
};

class RecordDatabase {
 public:
  struct Run {
    std::string path;
    RunRecord record;  // Load::summary
  };
  // Is told what is left out, one line each.
  using Warn = std::function<void(const std::string& warning)>;

  // In memory; reads what runs are and their figures. A record that cannot be read is left out, and so are, when they
  // are asked for, predictions that cannot: with a warning, or where there is no `warn` it is an Error.
  RecordDatabase(const std::vector<std::string>& records, Warn warn);
  ~RecordDatabase();
  RecordDatabase(const RecordDatabase&) = delete;
  RecordDatabase& operator=(const RecordDatabase&) = delete;

  // Those of `records` that could be read, in their order.
  const std::vector<Run>& runs() const { return runs_; }
  // The answer to one SELECT. Throws a usage Error with SQLite's message, and for a statement that is none.
  QueryAnswer ask(const std::string& sql);
  // "CREATE TABLE …" of every table, one a line.
  std::string schema();
  // All tables as an SQLite file in place of `path`, once all is read. Throws Error naming it.
  void write(const std::string& path);

 private:
  void run_sql(const std::string& sql);
  void make_tables();
  void fill_metrics();
  // None where the run has none, or they are left out.
  std::optional<Predictions> predictions_of(const Run& run) const;
  void fill_predictions();

  Warn warn_;
  sqlite3* database_ = nullptr;
  std::vector<Run> runs_;
  bool has_metrics_ = false, has_predictions_ = false;
};

}  // namespace minibert
