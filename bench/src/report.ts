import type { Verdict } from "./goals.ts";
import { type Figure, least, median, type Sample } from "./measure/sample.ts";

const rounded = (value: number | null, digits = 0) =>
  value === null
    ? "–"
    : value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });

const leastAndMedian = (figure: Figure, of: keyof Sample) =>
  median(figure, of) === null
    ? "–"
    : `${rounded(least(figure, of))} (${rounded(median(figure, of))})`;

const header = ["", "per second", "p50 ms", "p99 ms", "server CPU µs", "PostgreSQL CPU µs"];

const cellsOf = (figure: Figure) => [
  figure.name,
  rounded(median(figure, "perSecond")),
  rounded(median(figure, "p50"), 2),
  rounded(median(figure, "p99"), 2),
  leastAndMedian(figure, "nodeUs"),
  leastAndMedian(figure, "postgresUs"),
];

export const printFigures = (figures: Figure[]) => {
  const rows = [header, ...figures.map(cellsOf)];
  const widths = header.map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: string[]) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ");
  console.log(`\n${rows.map(line).join("\n")}`);
  console.log(
    "\nMedians of all rounds. CPU time per request as minimum (median). Ratios are medians of each round's ratio.",
  );
  for (const { name, samples } of figures) {
    const refused = samples.reduce((sum, sample) => sum + sample.refused, 0);
    if (refused > 0) console.log(`${name}: ${refused} requests did not return 200.`);
  }
};

export const printVerdicts = (verdicts: Verdict[]) => {
  console.log("");
  for (const { what, value, unit, holds } of verdicts) {
    const figure = `${rounded(value, unit === "ratio" ? 2 : 0)}${unit === "µs" ? " µs" : ""}`;
    const verdict = holds === null ? figure : holds ? `met (${figure})` : `missed: ${figure}`;
    console.log(`${what}: ${verdict}`);
  }
};
