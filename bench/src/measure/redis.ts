import { runProgram } from "../setup/processes.ts";
import type { RunningRedis } from "../setup/redis.ts";
import { cpuOf } from "./meter.ts";
import type { Run } from "./rounds.ts";
import type { Sample } from "./sample.ts";

const perSecondOfRun = 20_000;

/** One command of Redis with redis-benchmark, one request at a time for each connection. */
export const measureRedis = async (
  { port, pid }: RunningRedis,
  command: string[],
  { seconds, connections, signal }: Run,
): Promise<Sample> => {
  const requests = seconds * perSecondOfRun;
  const before = cpuOf(pid);
  const printed = await runProgram({
    file: "redis-benchmark",
    args: [...`-p ${port} -c ${connections} -n ${requests} -r 100000 --csv`.split(" "), ...command],
    env: {},
    signal,
  });
  const [, perSecond = 0, , , p50 = 0, , p99 = 0] = (printed.trim().split("\n").at(-1) ?? "")
    .split(",")
    .map((cell) => Number(cell.replaceAll('"', "")));
  return {
    perSecond,
    p50,
    p99,
    nodeUs: (cpuOf(pid) - before) / requests,
    postgresUs: null,
    refused: 0,
  };
};
