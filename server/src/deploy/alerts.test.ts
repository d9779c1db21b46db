import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { variables } from "../config.ts";
import { read } from "./facts.testing.ts";

const folder = new URL("../../../deploy/monitoring/", import.meta.url);

/** The nightly part `monitoring` installs promtool, and requires it. */
const isRequired = process.env["PROMTOOL"] === "true";

const promtool = (...words: string[]) =>
  promisify(execFile)("promtool", words, { cwd: folder }).then(
    ({ stdout }) => stdout,
    (error: NodeJS.ErrnoException & { stdout?: string; stderr?: string }) =>
      error.code === "ENOENT" ? null : `${error.stdout ?? ""}${error.stderr ?? ""}`,
  );

test.for([
  ["check", "alerts.yaml", /SUCCESS: \d+ rules found/],
  ["test", "alerts.test.yaml", /SUCCESS/],
] as const)("promtool %s rules %s succeeds", async ([command, file, success], { skip }) => {
  const said = await promtool(command, "rules", file);
  if (said === null && !isRequired)
    skip("promtool is missing. Install Debian's package prometheus to run this test.");
  expect(said).toMatch(success);
  expect(said).not.toMatch(/FAILED/);
});

type Rules = { groups: { rules: { alert: string; annotations: Record<string, string> }[] }[] };
type Cases = {
  tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
};
const rules = (parse(read("deploy/monitoring/alerts.yaml")) as Rules).groups.flatMap(
  (group) => group.rules,
);

test("every alert has a case in which it fires and one in which it doesn't", () => {
  const cases = (parse(read("deploy/monitoring/alerts.test.yaml")) as Cases).tests.flatMap(
    (one) => one.alert_rule_test,
  );
  const tested = (fires: boolean) =>
    cases.flatMap((one) => (one.exp_alerts.length > 0 === fires ? [one.alertname] : []));
  const [firing, quiet] = [new Set(tested(true)), new Set(tested(false))];
  const names = rules.map(({ alert }) => alert);
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !firing.has(name) || !quiet.has(name))).toEqual([]);
});

/** Names in capitals with an underscore are variables of the configuration. */
const unknownVariables = (text: string) =>
  (text.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? []).filter((name) => !Object.hasOwn(variables.shape, name));

test("alerts name only variables that exist", () => {
  const texts = rules.map(({ annotations }) => Object.values(annotations).join("\n")).join("\n");
  expect(unknownVariables(texts)).toEqual([]);
  expect(unknownVariables("Raise DATABASE_POOL_MAX")).toEqual(["DATABASE_POOL_MAX"]);
});
