import { Refusal } from "#lib/api/userFacingError.ts";

export type Act = { label: string; run: () => Promise<unknown> | unknown };
export type Toast = {
  message: string;
  act?: Act | undefined;
  isError?: boolean;
  /** Takes it off the screen, once it is there. */
  hide?: () => void;
};

const waiting: Toast[] = [];
let deliver: ((toast: Toast) => void) | null = null;
let onFirst: (() => void) | null = null;

const undoMs = 10_000;
let undoable: { toast: Toast; until: number } | null = null;

/** Does what a toast offers, by button or by key, once: then it offers nothing any more. */
export const takeAct = (toast: Toast) => {
  if (undoable?.toast === toast) undoable = null;
  toast.hide?.();
  if (toast.act) void attempt(toast.act.run);
};

/** Takes back the last act that can be, while its toast is there. False when there is none. */
export const undoLast = () => {
  if (!undoable || undoable.until < Date.now()) return false;
  takeAct(undoable.toast);
  return true;
};

const say = (message: Toast) => {
  if (message.act?.label === "Undo") undoable = { toast: message, until: Date.now() + undoMs };
  if (deliver) return deliver(message);
  waiting.push(message);
  onFirst?.();
};

/** What shows them is loaded with the first one. */
export const onFirstToast = (load: () => void) => {
  onFirst = load;
};
export const deliverToasts = (show: (toast: Toast) => void) => {
  deliver = show;
  for (const one of waiting.splice(0)) show(one);
};

/** Says what was done. With an act it stays twice as long, so that there is time to take it. */
export const toast = (message: string, act?: Act) => say({ message, act });

/** Does something that shows nothing of its own: a refusal is told, and stays until it is closed. */
export const attempt = async (run: Act["run"]) => {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    say({ message: error.message, isError: true });
  }
};
