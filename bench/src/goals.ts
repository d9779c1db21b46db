import { type Case, deepPage, oneApp, pageOne } from "./cases.ts";
import { bareRoute, byPgbench, byPgbenchAtOurRate } from "./measure/rounds.ts";
import { type Figure, least, percentile, type Sample } from "./measure/sample.ts";

/** A result. `holds` is null without a goal or without a figure to compare with it. */
export type Verdict = {
  what: string;
  value: number | null;
  unit: "µs" | "ratio" | "count";
  holds: boolean | null;
};

const listNodeUsMax = 400;
const deepRatioMax = 1.5;
const engineRatioMax = 1.2;

type Reading = (sample: Sample) => number | null;

export const perSecond: Reading = (sample) => sample.perSecond;
const p50: Reading = (sample) => sample.p50;
export const nodeUs: Reading = (sample) => sample.nodeUs;
export const postgresUs: Reading = (sample) => sample.postgresUs;
export const totalUs: Reading = ({ nodeUs: node, postgresUs: postgres }) =>
  node === null || postgres === null ? null : node + postgres;

export const find = (figures: Figure[], name: string): Figure =>
  figures.find((figure) => figure.name === name) ?? { name, samples: [] };

/** The median of the ratios of each round, because other load in a round affects both parts of its ratio. */
export const ratioOf = (part: [Figure, Reading], whole: [Figure, Reading]) => {
  const [[{ samples: parts }, readPart], [{ samples: wholes }, readWhole]] = [part, whole];
  const ratios = parts.flatMap((sample, round) => {
    const other = wholes[round];
    const [above, below] = [readPart(sample), other ? readWhole(other) : null];
    return above === null || !below ? [] : [above / below];
  });
  return ratios.length > 0 ? percentile(ratios, 0.5) : null;
};

export const shown = (what: string, value: number | null): Verdict => ({
  what,
  value,
  unit: "ratio",
  holds: null,
});

export const atMost = (what: string, value: number | null, max: number): Verdict => ({
  what: `${what}, at most ${max}`,
  value,
  unit: "ratio",
  holds: value === null ? null : value <= max,
});

export const atLeast = (what: string, value: number | null, min: number): Verdict => ({
  what: `${what}, at least ${min}`,
  value,
  unit: "ratio",
  holds: value === null ? null : value >= min,
});

/** Compares a case with pgbench and the same statements. */
const againstPgbench = (figures: Figure[], name: string): Verdict[] => {
  const ours = find(figures, name);
  const pgbench = find(figures, byPgbench(name));
  const paced = find(figures, byPgbenchAtOurRate(name));
  return [
    atMost(
      `${name}: PostgreSQL CPU, ours / pgbench at our rate`,
      ratioOf([ours, postgresUs], [paced, postgresUs]),
      engineRatioMax,
    ),
    shown(`${name}: requests/s, ours / pgbench`, ratioOf([ours, perSecond], [pgbench, perSecond])),
    shown(
      `${name}: total CPU, pgbench's backends / ours`,
      ratioOf([pgbench, postgresUs], [ours, totalUs]),
    ),
  ];
};

export const listGoals = (figures: Figure[], cases: Case[]): Verdict[] => {
  const first = find(figures, pageOne);
  const deep = find(figures, deepPage);
  const node = least(first, "nodeUs");
  return [
    {
      what: `${pageOne}: node CPU, at most ${listNodeUsMax} µs`,
      value: node,
      unit: "µs",
      holds: node === null ? null : node <= listNodeUsMax,
    },
    atMost(
      "deep page / page 1, total CPU",
      ratioOf([deep, totalUs], [first, totalUs]),
      deepRatioMax,
    ),
    atMost("deep page / page 1, p50", ratioOf([deep, p50], [first, p50]), deepRatioMax),
    ...cases.flatMap(({ name }) => againstPgbench(figures, name)),
  ];
};

export const getGoals = (figures: Figure[]): Verdict[] => [
  ...againstPgbench(figures, oneApp),
  shown(
    `${oneApp}: node CPU, ours / bare Fastify`,
    ratioOf([find(figures, oneApp), nodeUs], [find(figures, bareRoute), nodeUs]),
  ),
];

export const userGoals = (figures: Figure[], cases: Case[]): Verdict[] =>
  cases.flatMap(({ name }) => againstPgbench(figures, name));
