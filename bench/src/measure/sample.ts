/** The result of one round: times in milliseconds, CPU time in microseconds per request. */
export type Sample = {
  perSecond: number;
  p50: number;
  p99: number;
  nodeUs: number | null;
  postgresUs: number | null;
  refused: number;
};

export type Figure = { name: string; samples: Sample[] };

export const percentile = (values: number[], share: number) => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};

const known = (samples: Sample[], of: keyof Sample) =>
  samples.map((sample) => sample[of]).filter((value) => value !== null);

export const median = ({ samples }: Figure, of: keyof Sample) => {
  const values = known(samples, of);
  return values.length > 0 ? percentile(values, 0.5) : null;
};

/** The minimum, from the round that was disturbed least. */
export const least = ({ samples }: Figure, of: keyof Sample) => {
  const values = known(samples, of);
  return values.length > 0 ? Math.min(...values) : null;
};
