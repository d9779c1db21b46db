import { Icon } from "./Icon.tsx";
import type { IconName } from "./iconNames.ts";

export type Tone = "ok" | "warn" | "bad" | "info" | "mute";

/** `quiet` statuses show no box, because they need no attention. */
export type StatusWord = { word: string; icon: IconName; tone: Tone; quiet?: true };

type Props = {
  status: StatusWord;
  /** Show the box even for quiet statuses, as in page headers. */
  loud?: boolean;
};

export const Status = ({ status: { word, icon, tone, quiet }, loud = false }: Props) => (
  <span className="status" data-tone={tone} {...(quiet && !loud && { "data-quiet": true })}>
    <Icon name={icon} size={14} />
    {word}
  </span>
);
