import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readings } from "../../compose.ts";
import { testProduct } from "../../testing.ts";
import { createMetrics } from "./metrics.ts";

const { platform } = await testProduct();
const metrics = await createMetrics(platform, readings).registry.getMetricsAsJSON();
const named = new Map(metrics.map(({ name, type }) => [name, String(type)]));

const read = (file: string) =>
  readFileSync(new URL(`../../../../${file}`, import.meta.url), "utf8");

/** The metric of a series: histograms have three. */
const metricOf = (series: string) => {
  const base = series.replace(/_(bucket|count|sum)$/, "");
  return named.get(base) === "histogram" ? base : series;
};

const unknownMetrics = (text: string) =>
  [...new Set(text.match(/\bpurser_[a-z_]+/g))].map(metricOf).filter((name) => !named.has(name));

test.each(["deploy/monitoring/alerts.yaml", "deploy/monitoring/grafana.json"])(
  "every metric in %s exists",
  (file) => {
    expect(unknownMetrics(read(file))).toEqual([]);
    expect(unknownMetrics("purser_planted_total")).toEqual(["purser_planted_total"]);
  },
);
