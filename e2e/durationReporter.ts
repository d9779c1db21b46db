import { relative } from "node:path";
import type { Reporter, TestCase, TestResult, TestStep } from "@playwright/test/reporter";

type Total = { name: string; count: number; ms: number };

const slowestMax = 30;

const add = (totals: Map<string, Total>, name: string, ms: number) => {
  const total = totals.get(name) ?? { name, count: 0, ms: 0 };
  totals.set(name, { name, count: total.count + 1, ms: total.ms + ms });
};

/** Fixtures nest inside the hooks that Playwright reports as steps. */
const fixturesIn = (steps: TestStep[]): TestStep[] =>
  steps.flatMap((step) => [
    ...(step.category === "fixture" ? [step] : []),
    ...fixturesIn(step.steps),
  ]);

const row = ({ name, count, ms }: Total) => {
  const each = (ms / count / 1000).toFixed(1);
  return `${(ms / 1000).toFixed(0).padStart(6)} s  ${String(count).padStart(4)} x ${each.padStart(5)} s  ${name}`;
};

const slowestFirst = (totals: Iterable<Total>) => [...totals].toSorted((a, b) => b.ms - a.ms);

/** Ends the run with its seconds per file, per fixture and of the slowest tests. */
// biome-ignore lint/style/noDefaultExport: Playwright takes the default export.
export default class Durations implements Reporter {
  private readonly files = new Map<string, Total>();
  private readonly fixtures = new Map<string, Total>();
  private readonly tests: Total[] = [];

  onTestEnd(test: TestCase, result: TestResult) {
    const file = relative(import.meta.dirname, test.location.file);
    add(this.files, file, result.duration);
    this.tests.push({ name: `${file} ${test.title}`, count: 1, ms: result.duration });
    for (const { title, duration } of fixturesIn(result.steps)) add(this.fixtures, title, duration);
  }

  onEnd() {
    this.print("Seconds per file", slowestFirst(this.files.values()));
    this.print("Seconds per fixture", slowestFirst(this.fixtures.values()));
    this.print("Slowest tests", slowestFirst(this.tests).slice(0, slowestMax));
  }

  private print(title: string, totals: Total[]) {
    process.stdout.write(`\n${title}\n${totals.map(row).join("\n")}\n`);
  }

  printsToStdio() {
    return false;
  }
}
