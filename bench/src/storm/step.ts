import type { Answer, ApiClient } from "./api.ts";
import type { Model } from "./model.ts";
import type { Random } from "./random.ts";

/** The context of one operation of a client. */
export type Step = {
  api: ApiClient;
  model: Model;
  random: Random;
  /** The package that the model covers. */
  packageId: string;
  /** The idempotency key, which is also the reason or evidence in the audit log. */
  marker: string;
  /** Which server gets the first attempt. */
  turn: number;
  isDoubled: boolean;
  /** Whether the customer's subscription is paused. */
  isPaused: (email: string) => boolean;
  note: (operation: string, answer: Answer, isIdle?: boolean) => void;
};
