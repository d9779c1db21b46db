import { runtime } from "../page/runtime.ts";
import { dayMs } from "../time/dates.ts";
import { markLeaving } from "./unsavedChanges.ts";

type Values = Record<string, unknown>;

/** Unsaved form values, and the record they were based on. */
export type Draft = { version: number; base: Values; values: Values; savedAt: string };

/** The browser's own copy of a draft. `after` is the server draft's time when the copy was made. */
export type DraftCopy = Draft & { after: string };

export type DraftPlace = { userId: string; form: string };

const prefix = "purser:draft:";
const mark = "purser:continue";

// Both modes of an installation share the storage of the browser.
const modeMark = runtime.mode === "test" ? "test:" : "";

const keyOf = ({ userId, form }: DraftPlace) => `${prefix}${modeMark}${userId}:${form}`;

/**
 * Storage may be full, broken or blocked. Then there is no local copy and everything else works.
 */
const withoutStorageErrors = <T>(work: () => T, otherwise: T): T => {
  try {
    return work();
  } catch {
    return otherwise;
  }
};

const readCopy = (key: string) =>
  withoutStorageErrors(
    (): DraftCopy | null => JSON.parse(localStorage.getItem(key) ?? "null"),
    null,
  );

const copyKeys = () => Object.keys(localStorage).filter((key) => key.startsWith(prefix));

const isOld = (copy: DraftCopy | null) => !(Date.parse(copy?.savedAt ?? "") > Date.now() - dayMs);

let isSignedOut = false;

/** Keeps a copy in this browser until the server has the draft. */
export const saveCopy = (place: DraftPlace, copy: DraftCopy) =>
  withoutStorageErrors(() => {
    if (!isSignedOut) localStorage.setItem(keyOf(place), JSON.stringify(copy));
  }, undefined);

export const removeCopy = (place: DraftPlace) =>
  withoutStorageErrors(() => localStorage.removeItem(keyOf(place)), undefined);

/** This browser's copy of a draft. Also removes copies of any user that are older than a day. */
export const findCopy = (place: DraftPlace): DraftCopy | null =>
  withoutStorageErrors(() => {
    for (const key of copyKeys()) if (isOld(readCopy(key))) localStorage.removeItem(key);
    return readCopy(keyOf(place));
  }, null);

/** Removes all copies on sign-out, and keeps the closing page from writing new ones. */
export const removeAllCopies = () =>
  withoutStorageErrors(() => {
    isSignedOut = true;
    for (const key of copyKeys()) localStorage.removeItem(key);
  }, undefined);

/** The server accepted a draft from this page, so a user is signed in again. */
export const allowCopies = () => {
  isSignedOut = false;
};

const open = new Set<() => Promise<void>>();

/** Registers how an open form saves its draft immediately. Returns the function to unregister. */
export const onFlush = (flush: () => Promise<void>) => {
  open.add(flush);
  return () => {
    open.delete(flush);
  };
};

/** Saves all open drafts: synchronously in this browser, then on the server. */
export const flushDrafts = () => Promise.all([...open].map((flush) => flush()));

/**
 * Call right before `location.reload()` or a navigation that may interrupt typing, such as a new
 * release. Saves drafts, skips the browser's leave prompt, and lets the form at this path restore
 * its draft once. Never call it without leaving the page: the leave prompt stays off until then.
 */
export const continueAfterReload = () => {
  void flushDrafts();
  withoutStorageErrors(() => sessionStorage.setItem(mark, location.pathname), undefined);
  markLeaving();
};

/** Reloads the page and restores unsaved changes. */
export const reloadAndContinue = () => {
  continueAfterReload();
  location.reload();
};

/** Whether the form at this path should restore its draft after a reload. True only once. */
export const consumeContinuation = () =>
  withoutStorageErrors(() => {
    const path = sessionStorage.getItem(mark);
    sessionStorage.removeItem(mark);
    return path === location.pathname;
  }, false);
