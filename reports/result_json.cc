// SPDX-License-Identifier: Apache-2.0
#include "reports/result_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace tally {
namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

template <class T>
Json number_or_null(const std::optional<T>& number) {
  return number && std::isfinite(*number) ? Json(*number) : Json();
}

Json accuracy_json(const std::optional<Accuracy>& accuracy) {
  if (!accuracy) return {};
  return {{"metric", accuracy->metric},
          {"value", number_or_null<double>(accuracy->value)},
          {"reference", number_or_null(accuracy->reference)},
          {"samples", accuracy->samples}};
}

Json units_json(const std::optional<Timing>& timing) {
  if (!timing) return {};
  Json units = Json::object();
  for (int unit = 0; unit < isa::kUnits; ++unit) {
    const UnitCycles& cycles = timing->units[static_cast<std::size_t>(unit)];
    units[std::string(isa::kUnitNames[unit])] = {
        {"busy", cycles.busy}, {"stalled", cycles.stalled}, {"idle", cycles.idle}};
  }
  return units;
}

Json dram_json(const std::optional<Timing>& timing, const std::optional<Work>& work) {
  if (!timing || !work) return {};
  return {{"read_bytes", work->dram.read_bytes},
          {"write_bytes", work->dram.write_bytes},
          {"requested_read_bytes", work->dram.requested_read_bytes},
          {"requested_write_bytes", work->dram.requested_write_bytes},
          {"bus_bytes", timing->bus_bytes},
          {"activations", work->dram.activations},
          {"refreshes", work->dram.refreshes}};
}

Json energy_json(const std::optional<Energy>& energy) {
  if (!energy) return {};
  return {{"total_pj", energy->total_pj},
          {"by_unit", energy->by_unit},
          {"by_node", energy->by_node},
          {"coefficients", {{"id", energy->coefficients}, {"source", energy->source}}}};
}

Json calibration_json(const std::optional<CalibrationSource>& calibration) {
  if (!calibration) return {};
  return {{"set", calibration->set},
          {"indices_sha256", calibration->indices_sha256},
          {"samples", calibration->samples}};
}

Json generation_json(const std::optional<Generation>& generation) {
  if (!generation) return {};
  Json steps = Json::array();
  for (const Generation::Step& step : generation->steps)
    steps.push_back(
        {{"tokens", step.tokens}, {"cycles", step.cycles ? Json(*step.cycles) : Json()}});
  return {{"ids", generation->ids}, {"steps", steps}};
}

void add_time(const Result& result, Json& json) {
  const auto& timing = result.timing;
  json["cycles"] = timing ? Json(timing->cycles) : Json();
  json["clock_mhz"] = timing ? Json(timing->clock_mhz) : Json();
  json["seconds"] = timing ? Json(timing->seconds()) : Json();
  json["macs"] = result.work ? Json(result.work->macs) : Json();
  json["utilization"] = number_or_null(result.utilization());
  json["units"] = units_json(timing);
  json["dram"] = dram_json(timing, result.work);
  json["instructions"] = result.work ? Json(result.work->instructions) : Json();
}

}  // namespace

std::string result_json(const Result& result) {
  Json json = {{"tally", tally_version()},
               {"program", text_or_null(result.program)},
               {"model", result.model},
               {"design", text_or_null(result.design)},
               {"recipe", text_or_null(result.recipe)},
               {"backend", result.backend},
               {"seed", result.seed},
               {"inferences", result.inferences},
               {"set", text_or_null(result.set)},
               {"accuracy", accuracy_json(result.accuracy)}};
  add_time(result, json);
  json["energy"] = energy_json(result.energy);
  json["calibration"] = calibration_json(result.calibration);
  json["generation"] = generation_json(result.generation);
  json["output_sha256"] = text_or_null(result.output_sha256);
  json["first_output_sha256"] = text_or_null(result.first_output_sha256);
  json["host"] = {{"wall_seconds", result.host.wall_seconds},
                  {"peak_rss_bytes", result.host.peak_rss_bytes},
                  {"isa", result.host.isa}};
  json["notes"] = result.notes;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tally
