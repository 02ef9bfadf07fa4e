// Stored runs as an SQL database (SQLite), for questions about many runs at once.
//
// runs          a row a run: run (its number), path, folder (of its experiment; a moved record names
//               another one), experiment, profile, arm, seed, status, started, finished, ended_by, and a
//               column for every figure of any run's summary (f1, accuracy, parameters, …)
// config, environment, data
//               run, key, value: the record's contents, keys as in `inspect` (model.d_model; an arm's own
//               without "arms[0]"), numbers as numbers, lists as JSON
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
  // Called with one line for each record or part that is left out.
  using Warn = std::function<void(const std::string& warning)>;

  // Makes the database in memory and reads the runs and their figures. Leaves out records that
  // cannot be read, and later predictions that cannot, with a warning; without `warn` throws Error.
  RecordDatabase(const std::vector<std::string>& records, Warn warn);
  ~RecordDatabase();
  RecordDatabase(const RecordDatabase&) = delete;
  RecordDatabase& operator=(const RecordDatabase&) = delete;

  // The readable ones of `records`, in order.
  const std::vector<Run>& runs() const { return runs_; }
  // Returns the answer to one SELECT. Throws a usage Error (SQLite's message) for any other.
  QueryAnswer ask(const std::string& sql);
  // Returns "CREATE TABLE …" of every table, one a line.
  std::string schema();
  // Writes all tables as an SQLite file that replaces `path`. Throws Error naming it.
  void write(const std::string& path);

 private:
  void run_sql(const std::string& sql);
  void make_tables();
  void fill_metrics();
  // Returns nothing if the run has none, or if they are left out.
  std::optional<Predictions> predictions_of(const Run& run) const;
  void fill_predictions();

  Warn warn_;
  sqlite3* database_ = nullptr;
  std::vector<Run> runs_;
  bool has_metrics_ = false, has_predictions_ = false;
};

}  // namespace minibert
