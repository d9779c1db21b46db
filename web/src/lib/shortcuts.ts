import { useEffectEvent, useLayoutEffect, useSyncExternalStore } from "react";
import { createListeners } from "./listeners.ts";
import { currentPreferences } from "./session/preferences.ts";

export type Shortcut = {
  /** `mod+s`, `c`, or `g a` for a sequence of two keys. */
  keys: string;
  /** The description in the shortcut list. */
  does: string;
  group: "anywhere" | "navigation" | "lists" | "records";
  /** Return false to let the browser handle the key. */
  run: (event: KeyboardEvent) => unknown;
};

const bound = new Set<readonly Shortcut[]>();
const listeners = createListeners();
let listed: readonly Shortcut[] = [];

const notify = () => {
  const seen = new Map([...bound].flat().map((shortcut) => [shortcut.keys, shortcut]));
  listed = [...seen.values()];
  listeners.notify();
};

/** Binds keys while the component is mounted. The shortcut list shows all bound keys. */
export const useShortcuts = (shortcuts: readonly Shortcut[]) => {
  const key = shortcuts.map(({ keys, does }) => `${keys}=${does}`).join();
  const run = useEffectEvent((keys: string, event: KeyboardEvent) =>
    shortcuts.find((shortcut) => shortcut.keys === keys)?.run(event),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key represents the shortcuts; `run` reads the current ones.
  useLayoutEffect(() => {
    const own = shortcuts.map((shortcut) => ({
      ...shortcut,
      run: (event: KeyboardEvent) => run(shortcut.keys, event),
    }));
    bound.add(own);
    notify();
    return () => {
      bound.delete(own);
      notify();
    };
  }, [key]);
};

export const useBoundShortcuts = () => useSyncExternalStore(listeners.subscribe, () => listed);

const nameOf = ({ key }: KeyboardEvent) => (key === " " ? "space" : key.toLowerCase());

const pressOf = (event: KeyboardEvent) => {
  const name = nameOf(event);
  // Shift is part of a character such as "?". It is a modifier only for named keys.
  const shift = event.shiftKey && name.length > 1 ? "shift+" : "";
  return `${event.ctrlKey || event.metaKey ? "mod+" : ""}${shift}${name}`;
};

/** Whether the element takes text input. */
export const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("textarea, select, input:not([type=checkbox])"));

const isSingle = (press: string) => /^(\S|\S \S)$/.test(press);

const holders = "[aria-modal=true], [role=alertdialog], [role=menu], .mantine-Popover-dropdown";

/** Dialogs, menus and popovers block all shortcuts except those with Ctrl or Cmd. */
let isHeld = false;
// In the capture phase: Escape may remove the dialog before the shortcut handler runs.
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
  if (!shortcut || (isSingle(shortcut.keys) && !currentPreferences().singleKeys)) return;
  if (shortcut.run(event) !== false) event.preventDefault();
};

document.addEventListener("keydown", onKeyDown);
