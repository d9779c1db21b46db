import type { Case } from "../cases.ts";
import type { BenchDatabase } from "../setup/database.ts";
import type { RunningServer } from "../setup/processes.ts";
import { measureHttp } from "./http.ts";
import type { Meter } from "./meter.ts";
import { measurePgbench } from "./pgbench.ts";
import type { Figure, Sample } from "./sample.ts";
import type { Statement } from "./statements.ts";

type Run = { seconds: number; connections: number; signal: AbortSignal };
type Subject = { name: string; measure: (run: Run, meter: Meter) => Promise<Sample> };

export const bareRoute = "bare Fastify, no-op";
const healthRoute = "GET /healthz";
export const byEngine = (name: string) => `${name}: pgbench`;
export const byEngineAtOurPace = (name: string) => `${name}: pgbench, our pace`;

type World = {
  cases: Case[];
  statements: Map<string, Statement[]>;
  bare: RunningServer;
  product: RunningServer;
  database: BenchDatabase;
  cookie: string;
};

/**
 * What is measured: the floors, and each case beside the bare engine doing the same, once as fast as it
 * can and once at our pace. A backend that often sleeps spends more for the same work, so only the
 * latter says whether we make PostgreSQL work more than needed.
 */
export const subjectsOf = ({ cases, statements, bare, product, database, cookie }: World) => {
  const http = (server: RunningServer, path: string): Subject["measure"] => {
    const target = { server, path, cookie };
    return (run, meter) => measureHttp(target, run, meter);
  };
  const subjectsOfCase = ({ name, path }: Case): Subject[] => {
    const script = { databaseUrl: database.url, statements: statements.get(name) ?? [] };
    let pace = 1;
    return [
      {
        name,
        measure: async (run, meter) => {
          const sample = await http(product, path)(run, meter);
          pace = Math.max(1, Math.round(sample.perSecond));
          return sample;
        },
      },
      { name: byEngine(name), measure: (run, meter) => measurePgbench(script, run, meter) },
      {
        name: byEngineAtOurPace(name),
        measure: (run, meter) => measurePgbench({ ...script, pace }, run, meter),
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

/** In turn rather than one after the other, so that what else the machine does disturbs all alike. */
export const measureInRounds = async (
  subjects: Subject[],
  {
    meter,
    load: { rounds, ...pressure },
    signal,
  }: { meter: Meter; load: Load; signal: AbortSignal },
): Promise<Figure[]> => {
  const figures = subjects.map(({ name }): Figure => ({ name, samples: [] }));
  for (let round = 1; round <= rounds; round += 1) {
    console.log(`Round ${round} of ${rounds} …`);
    for (const [index, subject] of subjects.entries()) {
      signal.throwIfAborted();
      figures[index]?.samples.push(await subject.measure({ ...pressure, signal }, meter));
    }
  }
  return figures;
};
