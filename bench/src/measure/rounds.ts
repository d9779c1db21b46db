import type { Case } from "../cases.ts";
import type { BenchDatabase } from "../setup/database.ts";
import type { RunningServer } from "../setup/processes.ts";
import { measureHttp } from "./http.ts";
import type { Meter } from "./meter.ts";
import { measurePgbench } from "./pgbench.ts";
import type { Figure, Sample } from "./sample.ts";
import type { Statement } from "./statements.ts";

export type Run = { seconds: number; connections: number; signal: AbortSignal };
type Subject = { name: string; measure: (run: Run, meter: Meter) => Promise<Sample> };

export const bareRoute = "bare Fastify, no-op";
export const healthRoute = "GET /healthz";
export const byPgbench = (name: string) => `${name}: pgbench`;
export const byPgbenchAtOurRate = (name: string) => `${name}: pgbench, our rate`;

type Setup = {
  cases: Case[];
  statements: Map<string, Statement[]>;
  bare: RunningServer;
  product: RunningServer;
  database: BenchDatabase;
  cookie: string;
};

/**
 * The lower bounds, and each case next to pgbench with the same statements, once at full speed and once at our
 * rate. Backends that often sleep use more CPU for the same work, so only the latter is a fair comparison.
 */
export const subjectsOf = ({ cases, statements, bare, product, database, cookie }: Setup) => {
  const http = (server: RunningServer, path: string): Subject["measure"] => {
    const target = { server, path, headers: { cookie } };
    return (run, meter) => measureHttp(target, run, meter);
  };
  const subjectsOfCase = ({ name, path }: Case): Subject[] => {
    const script = { databaseUrl: database.url, statements: statements.get(name) ?? [] };
    let rate = 1;
    return [
      {
        name,
        measure: async (run, meter) => {
          const sample = await http(product, path)(run, meter);
          rate = Math.max(1, Math.round(sample.perSecond));
          return sample;
        },
      },
      { name: byPgbench(name), measure: (run, meter) => measurePgbench(script, run, meter) },
      {
        name: byPgbenchAtOurRate(name),
        measure: (run, meter) => measurePgbench({ ...script, rate }, run, meter),
      },
    ];
  };
  return [
    { name: bareRoute, measure: http(bare, "/") },
    { name: healthRoute, measure: http(product, "/healthz") },
    ...cases.flatMap(subjectsOfCase),
  ];
};

type Load = { rounds: number; seconds: number; connections: number };

/** Measures the subjects in turns, so that other load on the machine affects all of them alike. */
export const measureInRounds = async (
  subjects: Subject[],
  {
    meter,
    load: { rounds, ...perRound },
    signal,
  }: { meter: Meter; load: Load; signal: AbortSignal },
): Promise<Figure[]> => {
  const figures = subjects.map(({ name }): Figure => ({ name, samples: [] }));
  for (let round = 1; round <= rounds; round += 1) {
    console.log(`Round ${round} of ${rounds} …`);
    for (const [index, subject] of subjects.entries()) {
      signal.throwIfAborted();
      figures[index]?.samples.push(await subject.measure({ ...perRound, signal }, meter));
    }
  }
  return figures;
};
