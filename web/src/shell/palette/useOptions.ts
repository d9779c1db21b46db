import { t } from "@lingui/core/macro";
import { useDebouncedValue } from "@mantine/hooks";
import { useQueries } from "@tanstack/react-query";
import { settingsSections } from "#lib/labels/settingsSections.ts";
import { updatePreferences } from "#lib/session/preferences.ts";
import { recentRecords } from "#lib/session/recentRecords.ts";
import { useMe } from "#lib/session/session.ts";
import { useBoundShortcuts } from "#lib/shortcuts.ts";
import { attempt } from "#ui/popups/toast.ts";
import { useOpenGroups } from "../navigation/useOpenGroups.ts";
import { signOutAndLeave } from "../signIn/signOut.ts";
import { creations } from "./creations.ts";
import { helpOptions } from "./helpTopics.ts";
import { sources } from "./recordSources.ts";

export type Option = {
  id: string;
  group: string;
  label: string;
  note?: string;
  /** Other words that find it. */
  words?: string;
  icon: string;
  keys?: string;
  /** With Ctrl or Cmd, a page opens in a new tab. */
  path?: string;
  run?: () => unknown;
};

const searchMs = 150;

const preferences = t`Preferences`;
const themeLabels = {
  light: t`Light theme`,
  dark: t`Dark theme`,
  system: t`System theme`,
};

const settings = t`Settings`;

const settingsOptions: Option[] = Object.entries(settingsSections).map(
  ([section, { label, words }]) => ({
    id: `settings:${section}`,
    group: settings,
    label,
    words,
    icon: "settings",
    path: `/settings#${section}`,
  }),
);

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
    ...useOpenGroups()
      .flatMap(({ entries }) => entries)
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
      words: t`password, passkeys, two-factor authentication, 2FA, sessions, language, time zone`,
      icon: "shield-lock",
      path: "/account",
    },
    ...creations.filter(open).map(({ to, label, icon }) => ({
      id: to,
      group: t`Create`,
      label,
      words: t`create, add`,
      icon,
      path: to,
    })),
    ...(permissions.includes("team:write")
      ? [
          {
            id: "invite",
            group: t`Create`,
            label: t`Invite team member`,
            words: t`create, add, user, colleague`,
            icon: "plus",
            path: "/roles?invite=new",
          },
        ]
      : []),
    ...(permissions.includes("settings:read") ? settingsOptions : []),
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
const useRecords = (query: string): { records: Option[]; isSettled: boolean } => {
  const { permissions } = useMe();
  const [asked] = useDebouncedValue(query.trim(), searchMs);
  const enabled = asked.length >= 2;
  const open = sources.filter(({ permission }) => permissions.includes(permission));
  const answers = useQueries({
    queries: open.map(({ name, find }) => ({
      queryKey: [name, "palette", asked],
      queryFn: ({ signal }: { signal: AbortSignal }) => find(asked, signal),
      enabled,
    })),
  });
  if (query.trim() !== asked) return { records: [], isSettled: false };
  if (!enabled) return { records: [], isSettled: true };
  const records = open.flatMap(({ group, path, onOnePage }, place) =>
    (answers[place]?.data ?? []).map((found) => ({
      ...found,
      group,
      path: onOnePage ? path : `${path}${found.id}`,
    })),
  );
  return { records, isSettled: answers.every(({ isPending }) => !isPending) };
};

const hasAll = (text: string, words: string[]) =>
  words.every((word) => text.toLowerCase().includes(word));

const onlyFound = [preferences, settings];

/** Those found by what they are called come first. */
const matching = (options: Option[], words: string[]) => {
  if (words.length === 0) return options.filter(({ group }) => !onlyFound.includes(group));
  const found = Map.groupBy(options, ({ label, group, words: other = "" }) => {
    if (hasAll(`${label} ${group}`, words)) return "named";
    return hasAll(`${label} ${group} ${other}`, words) ? "described" : "others";
  });
  return [...(found.get("named") ?? []), ...(found.get("described") ?? [])];
};

/** The options of this page, then the records found on the server, then pages of the documentation. */
export const useOptions = (query: string, onShortcuts: () => void) => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const own = matching(useOwnOptions(onShortcuts), words);
  const { records, isSettled } = useRecords(query);
  // Recent records are listed above already.
  const others = records.filter(({ path }) => !own.some(({ id }) => id === `recent:${path}`));
  const help = words.length > 0 ? matching(helpOptions(), words) : [];
  return { options: [...own, ...others, ...help], isSettled };
};
