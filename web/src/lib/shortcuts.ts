import { useEffectEvent, useLayoutEffect, useSyncExternalStore } from "react";
import { createListeners } from "./listeners.ts";
import { preferencesNow } from "./session/preferences.ts";

export type Shortcut = {
  /** `mod+s`, `c`, or `g a` for two keys one after the other. */
  keys: string;
  /** What it does, for the sheet. */
  does: string;
  group: "Anywhere" | "Go to" | "Lists" | "Records and forms";
  /** False: it was not meant, and the browser goes on with the key. */
  run: (event: KeyboardEvent) => unknown;
};

const bound = new Set<readonly Shortcut[]>();
const listeners = createListeners();
let listed: readonly Shortcut[] = [];

const tell = () => {
  const seen = new Map([...bound].flat().map((shortcut) => [shortcut.keys, shortcut]));
  listed = [...seen.values()];
  listeners.tell();
};

/** Binds keys for as long as the component is there. The sheet lists whatever is bound. */
export const useShortcuts = (shortcuts: readonly Shortcut[]) => {
  const key = shortcuts.map(({ keys, does }) => `${keys}=${does}`).join();
  const run = useEffectEvent((keys: string, event: KeyboardEvent) =>
    shortcuts.find((shortcut) => shortcut.keys === keys)?.run(event),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the shortcuts; what they run is read when pressed.
  useLayoutEffect(() => {
    const own = shortcuts.map((shortcut) => ({
      ...shortcut,
      run: (event: KeyboardEvent) => run(shortcut.keys, event),
    }));
    bound.add(own);
    tell();
    return () => {
      bound.delete(own);
      tell();
    };
  }, [key]);
};

/** Everything that a key does here and now. */
export const useBoundShortcuts = () => useSyncExternalStore(listeners.subscribe, () => listed);

const nameOf = ({ key }: KeyboardEvent) => (key === " " ? "space" : key.toLowerCase());

const pressOf = (event: KeyboardEvent) => {
  const name = nameOf(event);
  // Shift is part of a sign such as "?", and a key of its own only with a named key.
  const shift = event.shiftKey && name.length > 1 ? "shift+" : "";
  return `${event.ctrlKey || event.metaKey ? "mod+" : ""}${shift}${name}`;
};

/** Whether keys go into a field there. */
export const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("textarea, select, input:not([type=checkbox])"));

const isSingle = (press: string) => /^(\S|\S \S)$/.test(press);

const holders = "[aria-modal=true], [role=alertdialog], [role=menu], .mantine-Popover-dropdown";

/** A dialog, menu or popover has the keyboard to itself, but for what saves. */
let isHeld = false;
// Before anybody hears of the key: what Escape closes is gone by the time the shortcuts do.
addEventListener(
  "keydown",
  () => {
    isHeld = document.querySelector(holders) !== null;
  },
  { capture: true },
);

let first = { press: "", at: 0 };
const sequenceMs = 1500;

const shortcutFor = (press: string, now: number) => {
  const all = [...bound].flat().reverse();
  const pair = `${first.press} ${press}`;
  const found =
    (now - first.at < sequenceMs && all.find(({ keys }) => keys === pair)) ||
    all.find(({ keys }) => keys === press);
  first = { press, at: now };
  return found || undefined;
};

const onKeyDown = (event: KeyboardEvent) => {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  if (["Shift", "Control", "Meta", "Alt"].includes(event.key)) return;
  const press = pressOf(event);
  const plain = !press.startsWith("mod+");
  if (plain && (isTyping(event.target) || isHeld)) return;
  const shortcut = shortcutFor(press, event.timeStamp);
  if (!shortcut || (isSingle(shortcut.keys) && !preferencesNow().singleKeys)) return;
  if (shortcut.run(event) !== false) event.preventDefault();
};

document.addEventListener("keydown", onKeyDown);
