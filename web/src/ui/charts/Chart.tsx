import { t } from "@lingui/core/macro";
import "./charts.css";
import type { ReactNode } from "react";
import { everyNth, pathOf, ticksOf } from "./scale.ts";
import { useReading, useWidth } from "./useReading.ts";

export type Series = {
  label: string;
  values: readonly number[];
  /** The place in the order of colors, from 1. Greys are for comparison and losses. */
  color: 1 | 2 | 3 | 4 | 5;
};

type Props = {
  /** What is shown, for screen readers. */
  label: string;
  height: number;
  /** The name of each point on the axis, and in full. */
  points: readonly { short: string; full: string }[];
  format: (value: number) => string;
  formatShort: (value: number) => string;
  /** Opens the rows behind a point, or behind the bar of a series that was clicked. */
  onOpen?: ((place: number, series?: number) => void) | undefined;
  /** Below the axis, such as promotions. */
  below?: ((scale: { left: number; width: number }) => ReactNode) | undefined;
} & (
  | { kind: "line"; series: readonly [Series, ...Series[]]; isLastOpen?: boolean }
  | { kind: "bars"; series: readonly Series[]; line?: Series | undefined }
);

/** The series of a bar. */
const seriesAt = (target: EventTarget) => {
  const group = target instanceof Element ? target.closest<SVGGElement>("[data-series]") : null;
  return group ? Number(group.dataset["series"]) : undefined;
};

const [left, right, top, bottom] = [56, 8, 8, 24];

type Scale = { x: (place: number) => number; y: (value: number) => number; band: number };

const Lines = ({
  series,
  isLastOpen,
  scale: { x, y },
}: {
  series: readonly Series[];
  isLastOpen: boolean;
  scale: Scale;
}) =>
  series.toReversed().map(({ label, values, color }, reversed) => {
    const points = values.map((value, place) => [x(place), y(value)] as const);
    const isMain = reversed === series.length - 1;
    const closed = isMain && isLastOpen ? points.slice(0, -1) : points;
    const [first, last] = [closed[0], closed.at(-1)];
    return (
      <g key={label} className="chart-line" data-color={color}>
        {isMain && first && last && (
          <path
            className="chart-area"
            d={`${pathOf(closed)}L${last[0]} ${y(0)}L${first[0]} ${y(0)}Z`}
          />
        )}
        <path className="chart-stroke" d={pathOf(closed)} />
        {isMain && isLastOpen && points.length > 1 && (
          <path className="chart-stroke" data-open d={pathOf(points.slice(-2))} />
        )}
      </g>
    );
  });

const Bars = ({
  series,
  names,
  scale: { x, y, band },
}: {
  series: readonly Series[];
  names: readonly string[];
  scale: Scale;
}) => {
  const width = Math.max(1, Math.min(48, band * 0.72));
  const above: number[] = [];
  const under: number[] = [];
  return series.map(({ label, values, color }, at) => (
    <g key={label} className="chart-bars" data-color={color} data-series={at}>
      {values.map((value, place) => {
        const stack = value < 0 ? under : above;
        const from = stack[place] ?? 0;
        stack[place] = from + value;
        const [high, low] = [y(Math.max(from, from + value)), y(Math.min(from, from + value))];
        return (
          <rect
            key={names[place]}
            x={x(place) - width / 2}
            y={high}
            width={width}
            height={Math.max(0, low - high - (low - high > 2 ? 1 : 0))}
          />
        );
      })}
    </g>
  ));
};

const extremesOf = (props: Props) => {
  if (props.kind === "line") return props.series.flatMap(({ values }) => values);
  const stacked = props.points.flatMap((_, place) => {
    const values = props.series.map((one) => one.values[place] ?? 0);
    const sum = (sign: number) =>
      values.reduce((all, value) => all + (Math.sign(value) === sign ? value : 0), 0);
    return [sum(1), sum(-1)];
  });
  return [...stacked, ...(props.line?.values ?? [])];
};

/** A chart that is read with the pointer or the arrow keys. Its table has the same values. */
export const Chart = (props: Props) => {
  const { label, height, points, format, formatShort, onOpen, below } = props;
  const [ref, width] = useWidth();
  const reading = useReading(points.length, onOpen);
  const ticks = ticksOf(extremesOf(props));
  const [low = 0, highest = 0] = [ticks[0], ticks.at(-1)];
  const plot = Math.max(0, width - left - right);
  const band = plot / Math.max(1, points.length);
  const scale: Scale = {
    band,
    x: (place) => left + (place + 0.5) * band,
    y: (value) => top + (1 - (value - low) / (highest - low || 1)) * (height - top - bottom),
  };
  const nth = everyNth(points.length, plot, 64);
  const { place } = reading;
  const all = props.kind === "bars" && props.line ? [...props.series, props.line] : props.series;
  const read =
    place === null
      ? ""
      : [
          points[place]?.full,
          ...all.map((one) => `${one.label} ${format(one.values[place] ?? 0)}`),
        ].join(", ");
  return (
    <div
      ref={ref}
      className="chart"
      role="slider"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, points.length - 1)}
      aria-valuenow={place ?? 0}
      aria-valuetext={read}
      aria-roledescription={t`chart`}
      tabIndex={0}
      onKeyDown={reading.onKeyDown}
      onFocus={reading.onFocus}
      onBlur={reading.onBlur}
    >
      <svg
        width={width}
        height={height}
        aria-hidden="true"
        onPointerMove={(event) => reading.onPointerMove(event, left, plot)}
        onPointerLeave={reading.onPointerLeave}
        {...(onOpen && {
          onClick: (event) => place !== null && onOpen(place, seriesAt(event.target)),
          "data-opens": true,
        })}
      >
        {ticks.map((tick) => (
          <g key={tick} className="chart-tick" data-zero={tick === 0 ? "" : undefined}>
            <line x1={left} x2={width - right} y1={scale.y(tick)} y2={scale.y(tick)} />
            <text x={left - 8} y={scale.y(tick) + 4}>
              {formatShort(tick)}
            </text>
          </g>
        ))}
        {points.map(
          ({ short, full }, at) =>
            at % nth === 0 && (
              <text key={full} className="chart-name" x={scale.x(at)} y={height - 6}>
                {short}
              </text>
            ),
        )}
        {props.kind === "line" ? (
          <Lines series={props.series} isLastOpen={props.isLastOpen ?? false} scale={scale} />
        ) : (
          <Bars series={props.series} names={points.map(({ full }) => full)} scale={scale} />
        )}
        {props.kind === "bars" && props.line && (
          <path
            className="chart-net"
            d={pathOf(props.line.values.map((value, at) => [scale.x(at), scale.y(value)] as const))}
          />
        )}
        {place !== null && (
          <line
            className="chart-reading"
            x1={scale.x(place)}
            x2={scale.x(place)}
            y1={top}
            y2={height - bottom}
          />
        )}
      </svg>
      {below?.({ left, width: plot })}
      <p className="chart-read" aria-hidden="true">
        {read}
      </p>
    </div>
  );
};
