import { t } from "@lingui/core/macro";
import { sharePercent, sharePoints } from "#lib/money/reportNumbers.ts";
import { Icon } from "../Icon.tsx";

type Props = {
  now: number;
  before: number;
  /** Whether less is better, such as for refunds. */
  isLessBetter?: boolean;
  /** As points of a percentage instead of a change in percent. */
  isShare?: boolean;
};

const signed = (value: number, text: string) => {
  if (value > 0) return `+${text}`;
  return value < 0 ? `−${text}` : text;
};

/** A change as text, with an arrow and a color of its meaning. */
export const Delta = ({ now, before, isLessBetter = false, isShare = false }: Props) => {
  const change = isShare ? now - before : before === 0 ? null : (now - before) / Math.abs(before);
  if (change === null) return now === 0 ? <span className="delta">{sharePercent(0)}</span> : null;
  const size = isShare ? sharePoints(Math.abs(change)) : sharePercent(Math.abs(change));
  const isUp = now > before;
  const isGood = isUp !== isLessBetter;
  return (
    <span className="delta" {...(now !== before && { "data-tone": isGood ? "ok" : "bad" })}>
      {now !== before && <Icon name={isUp ? "arrow-up" : "arrow-down"} size={12} />}
      {isShare ? t`${signed(change, size)} points` : signed(change, size)}
    </span>
  );
};
