import type { PoolName } from "@purser/contract/http/endpoint";

type Settings = {
  DATABASE_POOL_SIZE: number;
  DATABASE_POOL_CHECKS?: number | undefined;
  DATABASE_POOL_READS?: number | undefined;
};

/** How the connections of a process are divided. A process that doesn't serve needs them for its jobs. */
export const sizesOf = (settings: Settings, serves = true): Record<PoolName, number> => {
  const { DATABASE_POOL_SIZE: all } = settings;
  if (!serves) return { checks: 1, reads: 1, writes: all - 2 };
  const checks = settings.DATABASE_POOL_CHECKS ?? Math.floor(all / 4);
  const reads = settings.DATABASE_POOL_READS ?? Math.floor(all / 2);
  return { checks, reads, writes: all - checks - reads };
};
