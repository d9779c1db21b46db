import { Icon } from "./Icon.tsx";
import type { IconName } from "./iconNames.ts";

export type Tone = "ok" | "warn" | "bad" | "info" | "mute";

/** A state in the product's words. What is as it should be is quiet; what needs a person is a box. */
export type StatusWord = { word: string; icon: IconName; tone: Tone; quiet?: true };

type Props = {
  status: StatusWord;
  /** In a page's head a status is always a box. */
  loud?: boolean;
};

export const Status = ({ status: { word, icon, tone, quiet }, loud = false }: Props) => (
  <span className="status" data-tone={tone} {...(quiet && !loud && { "data-quiet": true })}>
    <Icon name={icon} size={14} />
    {word}
  </span>
);
