import { entities } from "@purser/contract/entities";
import { usePreferences } from "#lib/session/preferences.ts";
import { useMe } from "#lib/session/session.ts";
import { defaultViewOf, searchOf, useSharedViews } from "#ui/list/views/savedViews.ts";
import { type Entry, groups } from "./entries.ts";

/** The search of the default view of a list, by the path of the list. */
const useDefaultSearch = () => {
  const preferences = usePreferences();
  const shared = useSharedViews();
  return (to: string) => {
    const [name = ""] = Object.entries(entities).find(([, { list }]) => list === to) ?? [];
    const view = defaultViewOf(name, preferences, shared);
    return view ? searchOf(view) : {};
  };
};

/**
 * The groups of the menu with the entries that the role can open, and the view that each opens. A group without any is
 * left out.
 */
export const useOpenGroups = () => {
  const { permissions } = useMe();
  const searchAt = useDefaultSearch();
  const isOpen = ({ permission }: Entry) => !permission || permissions.includes(permission);
  return groups
    .map((group) => ({
      ...group,
      entries: group.entries
        .filter(isOpen)
        .map((entry) => ({ ...entry, search: searchAt(entry.to) })),
    }))
    .filter(({ entries }) => entries.length > 0);
};
