import type { Answer, Office } from "./api.ts";
import type { Model } from "./model.ts";
import type { Random } from "./random.ts";

/** What one operation of a client knows: its own numbers, its mark in the log, and the others' office. */
export type Step = {
  office: Office;
  model: Model;
  random: Random;
  packages: { usual: string; cheap: string; dear: string };
  /** Its key, and what it leaves in the log. */
  marker: string;
  /** Which server it asks first. */
  turn: number;
  isEchoed: boolean;
  /** Whether somebody's subscription is paused. */
  isPaused: (email: string) => boolean;
  /** Whether somebody changed to another package, which then has a subscription of its own. */
  isChanged: (email: string) => boolean;
  note: (operation: string, answer: Answer, isIdle?: boolean) => void;
};
