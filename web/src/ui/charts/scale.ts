/** A round number that is not below the given one: 1, 2, 2.5, 5 or 10 times a power of ten. */
const roundUp = (value: number) => {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 2.5, 5, 10].find((one) => one * power >= value * 0.999_999) ?? 10;
  return factor * power;
};

const stepsMax = 3;

/** The values of the axis, from 0 and if needed below it, in round steps. */
export const ticksOf = (values: readonly number[]) => {
  const max = Math.max(0, ...values);
  const min = Math.min(0, ...values);
  if (max === min) return [0];
  const step = roundUp(Math.max(max, -min) / stepsMax);
  const [first, last] = [Math.floor(min / step), Math.ceil(max / step)];
  return Array.from({ length: last - first + 1 }, (_, place) => (first + place) * step);
};

/** Which of many labels fit next to each other. */
export const everyNth = (count: number, width: number, labelWidth: number) =>
  Math.max(1, Math.ceil((count * labelWidth) / Math.max(width, 1)));

/** A path through points. */
export const pathOf = (points: readonly (readonly [number, number])[]) =>
  points
    .map(([x, y], place) => `${place === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join("");
