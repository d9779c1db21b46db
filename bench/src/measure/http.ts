import autocannon from "autocannon";
import type { RunningServer } from "../setup/processes.ts";
import { productName } from "../setup/product.ts";
import { cpuOf, type Meter, spentBetween } from "./meter.ts";
import { percentile, type Sample } from "./sample.ts";

type Target = { server: RunningServer; path: string; cookie: string };
type Pressure = { seconds: number; connections: number };

// Enough that each connection of the pool has its statements prepared and planned for good.
const warmUpRequests = 400;

const shoot = (options: autocannon.Options) =>
  new Promise<{ times: number[]; refused: number; seconds: number }>((resolve, reject) => {
    const times: number[] = [];
    let refused = 0;
    const start = performance.now();
    const run = autocannon(options, (error, { errors }) => {
      if (error) reject(error);
      else resolve({ times, refused: refused + errors, seconds: elapsed(start) });
    });
    // Its own histogram knows whole milliseconds only.
    run.on("response", (_client, status, _bytes, ms) => {
      if (status === 200) times.push(ms);
      else refused += 1;
    });
  });

const elapsed = (start: number) => (performance.now() - start) / 1000;

export const measureHttp = async (
  { server, path, cookie }: Target,
  { seconds, connections }: Pressure,
  meter: Meter,
): Promise<Sample> => {
  const options = { url: `${server.origin}${path}`, connections, headers: { cookie } };
  await shoot({ ...options, amount: warmUpRequests });
  const node = cpuOf(server.pid);
  const postgres = await meter.backendsOf(productName);
  const shot = await shoot({ ...options, duration: seconds });
  const spentUs = spentBetween(postgres, await meter.backendsOf(productName));
  const answers = shot.times.length + shot.refused;
  return {
    perSecond: shot.times.length / shot.seconds,
    p50: percentile(shot.times, 0.5),
    p99: percentile(shot.times, 0.99),
    nodeUs: (cpuOf(server.pid) - node) / answers,
    postgresUs: spentUs === null ? null : spentUs / answers,
    refused: shot.refused,
  };
};
