import { useMe } from "#lib/session/session.ts";
import { type Entry, groups } from "./entries.ts";

/** The groups of the menu with the entries that the role can open. A group without any is left out. */
export const useOpenGroups = () => {
  const { permissions } = useMe();
  const isOpen = ({ permission }: Entry) => !permission || permissions.includes(permission);
  return groups
    .map((group) => ({ ...group, entries: group.entries.filter(isOpen) }))
    .filter(({ entries }) => entries.length > 0);
};
