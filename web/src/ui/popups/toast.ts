import { t } from "@lingui/core/macro";
import { UserFacingError } from "#lib/api/userFacingError.ts";

export type ToastAction = {
  label: string;
  run: () => Promise<unknown> | unknown;
  /** Also runs with the keyboard shortcut for undo. */
  isUndo?: true;
};

/** The button that undoes what the toast reports. */
export const undoAction = (run: ToastAction["run"]): ToastAction => ({
  label: t`Undo`,
  run,
  isUndo: true,
});

export type Toast = {
  message: string;
  action?: ToastAction | undefined;
  isError?: boolean;
  /** Hides it once it is shown. */
  hide?: () => void;
};

const waiting: Toast[] = [];
let deliver: ((toast: Toast) => void) | null = null;
let onFirst: (() => void) | null = null;

const undoMs = 10_000;
let undoable: { toast: Toast; until: number } | null = null;

/** Runs a toast's action once, by button or by key. */
export const runAction = (toast: Toast) => {
  if (undoable?.toast === toast) undoable = null;
  toast.hide?.();
  if (toast.action) void attempt(toast.action.run);
};

/** Undoes the last action while its toast is visible. False if there is none. */
export const undoLast = () => {
  if (!undoable || undoable.until < Date.now()) return false;
  runAction(undoable.toast);
  return true;
};

const say = (message: Toast) => {
  if (message.action?.isUndo) undoable = { toast: message, until: Date.now() + undoMs };
  if (deliver) return deliver(message);
  waiting.push(message);
  onFirst?.();
};

/** The component loads with the first toast. */
export const onFirstToast = (load: () => void) => {
  onFirst = load;
};
export const deliverToasts = (show: (toast: Toast) => void) => {
  deliver = show;
  for (const one of waiting.splice(0)) show(one);
};

/** Shows a toast. With an action it stays twice as long. */
export const toast = (message: string, action?: ToastAction) => say({ message, action });

/** Runs an action without its own error display. Errors become toasts that stay until closed. */
export const attempt = async (run: ToastAction["run"]) => {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof UserFacingError)) throw error;
    say({ message: error.message, isError: true });
  }
};
