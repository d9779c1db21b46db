import { t } from "@lingui/core/macro";
import { useDebouncedValue } from "@mantine/hooks";
import { useQueries } from "@tanstack/react-query";
import { outcomeOf } from "#lib/api/userFacingError.ts";
import { updatePreferences } from "#lib/session/preferences.ts";
import { recentRecords } from "#lib/session/recentRecords.ts";
import { useMe } from "#lib/session/session.ts";
import { useBoundShortcuts } from "#lib/shortcuts.ts";
import { attempt } from "#ui/popups/toast.ts";
import { creations, groups } from "../navigation/entries.ts";
import { signOutAndLeave } from "../signIn/signOut.ts";
import { sources } from "./recordSources.ts";

export type Option = {
  id: string;
  group: string;
  label: string;
  note?: string;
  icon: string;
  keys?: string;
  /** With Ctrl or Cmd, a page opens in a new tab. */
  path?: string;
  run?: () => unknown;
};

const searchMs = 150;

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const preferences = t`Preferences`;
const themeLabels = {
  light: t`Light theme`,
  dark: t`Dark theme`,
  system: t`System theme`,
};

/** Actions of this page from its bound shortcuts, besides the pages. */
const useOwnOptions = (onShortcuts: () => void): Option[] => {
  const { permissions } = useMe();
  const bound = useBoundShortcuts();
  const open = ({ permission }: { permission?: (typeof permissions)[number] }) =>
    !permission || permissions.includes(permission);
  const here = bound.filter(({ group }) => group === "records");
  return [
    ...recentRecords().map(({ path, label, icon }) => ({
      id: `recent:${path}`,
      group: t`Recent`,
      label,
      icon,
      path,
    })),
    ...groups
      .flatMap(({ entries }) => entries)
      .filter(open)
      .map(({ to, label, icon, key }) => ({
        id: to,
        group: t`Go to`,
        label,
        icon,
        keys: `g ${key}`,
        path: to,
      })),
    {
      id: "/account",
      group: t`Go to`,
      label: t`Profile and security`,
      icon: "shield-lock",
      path: "/account",
    },
    ...creations
      .filter(open)
      .map(({ to, label, icon }) => ({ id: to, group: t`Create`, label, icon, path: to })),
    ...here.map(({ keys, does, run }) => ({
      id: `here:${keys}`,
      group: t`On this page`,
      label: does,
      icon: "bolt",
      keys,
      run: () => run(new window.KeyboardEvent("keydown")),
    })),
    ...(["light", "dark", "system"] as const).map((theme) => ({
      id: `theme:${theme}`,
      group: preferences,
      label: themeLabels[theme],
      icon: "adjustments",
      run: () => attempt(() => updatePreferences({ theme })),
    })),
    {
      id: "keys",
      group: preferences,
      label: t`Keyboard shortcuts`,
      icon: "keyboard",
      keys: "?",
      run: onShortcuts,
    },
    { id: "leave", group: preferences, label: t`Sign out`, icon: "logout", run: signOutAndLeave },
  ];
};

/** Searches records on the server from two characters on. */
const useRecords = (query: string): Option[] => {
  const { permissions } = useMe();
  const [asked] = useDebouncedValue(query.trim(), searchMs);
  const enabled = asked.length >= 2;
  const open = sources.filter(({ permission }) => permissions.includes(permission));
  const answers = useQueries({
    queries: open.map(({ name, find, read }) => ({
      queryKey: [name, "palette", asked],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        if (!idPattern.test(asked)) return find(asked, signal);
        const found = await outcomeOf(read(asked, signal));
        return found.value ? [found.value] : [];
      },
      enabled,
    })),
  });
  if (!enabled || query.trim() !== asked) return [];
  return open.flatMap(({ group, path }, place) =>
    (answers[place]?.data ?? []).map((found) => ({ ...found, group, path: `${path}${found.id}` })),
  );
};

const matches = ({ label, group }: Option, words: string[]) =>
  words.length === 0
    ? group !== preferences
    : words.every((word) => `${label} ${group}`.toLowerCase().includes(word));

/** The options of this page, then the records found on the server. */
export const useOptions = (query: string, onShortcuts: () => void): Option[] => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const own = useOwnOptions(onShortcuts).filter((option) => matches(option, words));
  const records = useRecords(query);
  // Recent records are listed above already.
  return [...own, ...records.filter(({ path }) => !own.some((one) => one.path === path))];
};
