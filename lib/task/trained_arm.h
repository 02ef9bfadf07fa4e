// The common part of all arms that train a model.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "task/start.h"
#include "task/task_kind.h"

namespace minibert {

// Config: the record's description of the model, with a to_json(). Data: the kind's TaskData. Net:
// its Model. Training: its Task. The constructor of an arm reads config_, makes and fills model_,
// and calls put_to_work().
template <class Config, class Data, class Net, class Training>
class TrainedArm : public Arm {
 public:
  Task& task() final {
    if (!task_) task_ = make_task();
    return *task_;
  }
  torch::nn::Module& module() final { return *model_; }
  torch::ScalarType compute_type() const final { return model_->encoder().compute_type(); }
  nlohmann::json model_config() const override { return to_json(config_); }

 protected:
  TrainedArm(const ArmRequest& request, Data& data) : request_(request), data_(data) {}

  virtual std::unique_ptr<Training> make_task() = 0;

  // Copies weights into the model (Start::load, which takes `renamed`), and moves it to the
  // request's device and precision.
  void put_to_work(const Start& start,
                   const std::vector<std::pair<std::string, std::string>>& renamed = {}) {
    start.load(*model_, renamed);
    model_->encoder().set_compute_type(request_.compute.type);
    model_->to(request_.compute.device);
  }

  uint64_t seed() const { return static_cast<uint64_t>(request_.seed); }
  torch::Device device() const { return request_.compute.device; }
  // Null before the first call of task().
  const Training* made_task() const { return task_.get(); }

  const ArmRequest request_;
  Data& data_;
  Config config_;
  std::shared_ptr<Net> model_;

 private:
  std::unique_ptr<Training> task_;
};

}  // namespace minibert
