import "./charts.css";
import { pathOf } from "./scale.ts";

const [width, height, edge] = [150, 24, 3];

/** The course of a figure, without numbers: the figure and its table have them. */
export const Sparkline = ({ values }: { values: readonly number[] }) => {
  const max = Math.max(...values);
  const min = Math.min(...values);
  const range = max - min || 1;
  const points = values.map(
    (value, place) =>
      [
        edge + (place / Math.max(1, values.length - 1)) * (width - 2 * edge),
        height - edge - ((value - min) / range) * (height - 2 * edge),
      ] as const,
  );
  const last = points.at(-1);
  if (!last) return null;
  return (
    <svg className="sparkline" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path className="sparkline-area" d={`${pathOf(points)}V${height}H${edge}Z`} />
      <path className="sparkline-line" d={pathOf(points)} />
      <circle cx={last[0]} cy={last[1]} r="2" />
    </svg>
  );
};
