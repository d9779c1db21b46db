import {
  changePreferences,
  defaultPreferences,
  type Preferences,
} from "@purser/contract/workspace/preferences";
import { useQuery } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import { client } from "../api/queryClient.ts";
import { sessionQuery } from "./session.ts";

export const languageLabels = {
  "en-GB": "English (United Kingdom)",
  "en-US": "English (United States)",
} as const;
export const densityLabels = { comfortable: "Roomy", compact: "Compact" } as const;

export const usePreferences = (): Preferences =>
  useQuery(sessionQuery).data?.preferences ?? defaultPreferences;

export const preferencesNow = (): Preferences =>
  client.getQueryData(sessionQuery.queryKey)?.preferences ?? defaultPreferences;

const show = (next: Preferences) =>
  client.setQueryData(sessionQuery.queryKey, (me) => me && { ...me, preferences: next });

/** Shown at once, then kept on the server for this person; a refusal puts the old ones back. */
export const prefer = async (changes: Partial<Preferences>) => {
  const before = preferencesNow();
  const columns = { ...before.columns, ...changes.columns };
  const views = { ...before.views, ...changes.views };
  show({ ...before, ...changes, columns, views });
  try {
    await call(changePreferences, { body: changes });
  } catch (error) {
    show(before);
    throw error;
  }
};
