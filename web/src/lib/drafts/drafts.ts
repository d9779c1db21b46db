import { dayMs } from "../time/dates.ts";
import { markLeaving } from "./unsavedChanges.ts";

type Values = Record<string, unknown>;

/** What somebody typed into a form, and the record over which they typed it. */
export type Draft = { version: number; base: Values; values: Values; savedAt: string };

/** The draft that a browser keeps by itself, and when the server had last kept one of which this page knew. */
export type DraftCopy = Draft & { after: string };

/** Whose draft it is, and of which form. */
export type DraftPlace = { userId: string; form: string };

const prefix = "purser:draft:";
const mark = "purser:continue";

const keyOf = ({ userId, form }: DraftPlace) => `${prefix}${userId}:${form}`;

/** A storage may be full, broken or forbidden: then there is no local copy, and all else goes on. */
const quietly = <T>(work: () => T, otherwise: T): T => {
  try {
    return work();
  } catch {
    return otherwise;
  }
};

const readCopy = (key: string) =>
  quietly((): DraftCopy | null => JSON.parse(localStorage.getItem(key) ?? "null"), null);

const copyKeys = () => Object.keys(localStorage).filter((key) => key.startsWith(prefix));

const isOld = (copy: DraftCopy | null) => !(Date.parse(copy?.savedAt ?? "") > Date.now() - dayMs);

let isSignedOut = false;

/** Keeps a draft in this browser, for as long as the server did not take it. */
export const keepCopy = (place: DraftPlace, copy: DraftCopy) =>
  quietly(() => {
    if (!isSignedOut) localStorage.setItem(keyOf(place), JSON.stringify(copy));
  }, undefined);

export const dropCopy = (place: DraftPlace) =>
  quietly(() => localStorage.removeItem(keyOf(place)), undefined);

/** The copy that this browser has of somebody's draft. Any older than a day goes, whoever's it is. */
export const findCopy = (place: DraftPlace): DraftCopy | null =>
  quietly(() => {
    for (const key of copyKeys()) if (isOld(readCopy(key))) localStorage.removeItem(key);
    return readCopy(keyOf(place));
  }, null);

/** Nothing that was typed stays in a browser that somebody signed out of, nor comes back with the page's end. */
export const forgetCopies = () =>
  quietly(() => {
    isSignedOut = true;
    for (const key of copyKeys()) localStorage.removeItem(key);
  }, undefined);

/** The server took a draft of this page, so somebody is signed in here again. */
export const mayKeepCopies = () => {
  isSignedOut = false;
};

const open = new Set<() => Promise<void>>();

/** Tells how the draft of an open form is kept at once; gives the way to stop that. */
export const onFlush = (flush: () => Promise<void>) => {
  open.add(flush);
  return () => {
    open.delete(flush);
  };
};

/** Keeps what is typed right now: in this browser before the call comes back, on the server when it is done. */
export const flushDrafts = () => Promise.all([...open].map((flush) => flush()));

/**
 * For whoever must reload the page although something may be typed in it, as a new release does. What
 * was typed is kept, the browser does not ask whether to leave, and the form that opens at this path
 * after the reload restores it by itself, once. Say `continueAfterReload(); location.reload();`, and
 * never this without a reload: until the page is gone nobody is asked before they leave it.
 */
export const continueAfterReload = () => {
  void flushDrafts();
  quietly(() => sessionStorage.setItem(mark, location.pathname), undefined);
  markLeaving();
};

/** The same page anew, with what was typed. */
export const reloadAndContinue = () => {
  continueAfterReload();
  location.reload();
};

/** Whether the form at this path is to go on where the page before the reload ended. True once. */
export const takeContinuation = () =>
  quietly(() => {
    const path = sessionStorage.getItem(mark);
    sessionStorage.removeItem(mark);
    return path === location.pathname;
  }, false);
