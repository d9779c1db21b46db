const units = 1000;

/** Shares with one decimal of a percentage that add up to 100.0 %, rounded by largest remainder. */
export const shares = (values: readonly number[]): number[] => {
  const total = values.reduce((sum, value) => sum + value, 0);
  if (total === 0) return values.map(() => 0);
  const exact = values.map((value) => (value / total) * units);
  const whole = exact.map(Math.floor);
  const missing = units - whole.reduce((sum, part) => sum + part, 0);
  const order = exact
    .map((value, place) => ({ place, remainder: value - Math.floor(value) }))
    .toSorted((one, other) => other.remainder - one.remainder)
    .slice(0, missing)
    .map(({ place }) => place);
  return whole.map((part, place) => (part + (order.includes(place) ? 1 : 0)) / units);
};
