import autocannon from "autocannon";
import type { RunningServer } from "../setup/processes.ts";
import { productName } from "../setup/product.ts";
import { cpuOf, type Meter, spentBetween } from "./meter.ts";
import { percentile, type Sample } from "./sample.ts";

type Target = {
  server: RunningServer;
  /** The application name of its connections to PostgreSQL. */
  application?: string;
  path: string;
  headers: Record<string, string>;
  /** In addition, others for each request, such as its API key. */
  headersOf?: () => Record<string, string>;
  /** Instead of the path, a new one for each request. */
  pathOf?: () => string;
  /** For a POST, a new body for each request. */
  bodyOf?: () => string;
};
type Load = { seconds: number; connections: number };

// Enough for every pooled connection to prepare its statements and choose generic plans.
const warmUpRequests = 400;

// The server closes a connection after 1,000 requests, which autocannon doesn't expect.
const requestsPerConnection = 900;

const sendRequests = (options: autocannon.Options) =>
  new Promise<{ times: number[]; refused: number; seconds: number }>((resolve, reject) => {
    const times: number[] = [];
    let refused = 0;
    const start = performance.now();
    const run = autocannon(options, (error, { errors }) => {
      if (error) reject(error);
      else resolve({ times, refused: refused + errors, seconds: elapsed(start) });
    });
    // autocannon's own histogram has a resolution of one millisecond.
    run.on("response", (_client, status, _bytes, ms) => {
      if (status === 200) times.push(ms);
      else refused += 1;
    });
  });

const elapsed = (start: number) => (performance.now() - start) / 1000;

const optionsOf = (
  { server, path, headers, headersOf, pathOf, bodyOf }: Target,
  connections: number,
) => ({
  url: `${server.origin}${path}`,
  connections,
  reconnectRate: requestsPerConnection,
  headers,
  ...((bodyOf ?? pathOf ?? headersOf) && {
    requests: [
      {
        ...(bodyOf && { method: "POST" as const }),
        setupRequest: (request: autocannon.Request) => ({
          ...request,
          headers: { ...headers, ...headersOf?.() },
          ...(bodyOf && { body: bodyOf() }),
          ...(pathOf && { path: pathOf() }),
        }),
      },
    ],
  }),
});

/** Sends this many requests, and fails if one of them isn't answered with 200. */
export const requestEach = async (
  target: Target,
  { amount, connections }: { amount: number; connections: number },
) => {
  const { refused } = await sendRequests({ ...optionsOf(target, connections), amount });
  if (refused > 0) throw new Error(`${refused} of ${amount} requests did not return 200.`);
};

export const measureHttp = async (
  target: Target,
  { seconds, connections }: Load,
  meter: Meter,
): Promise<Sample> => {
  const { server, application = productName } = target;
  const options = optionsOf(target, connections);
  await sendRequests({ ...options, amount: warmUpRequests });
  const node = cpuOf(server.pid);
  const postgres = await meter.backendsOf(application);
  const result = await sendRequests({ ...options, duration: seconds });
  const spentUs = spentBetween(postgres, await meter.backendsOf(application));
  const answers = result.times.length + result.refused;
  return {
    perSecond: result.times.length / result.seconds,
    p50: percentile(result.times, 0.5),
    p99: percentile(result.times, 0.99),
    nodeUs: (cpuOf(server.pid) - node) / answers,
    postgresUs: spentUs === null ? null : spentUs / answers,
    refused: result.refused,
  };
};
