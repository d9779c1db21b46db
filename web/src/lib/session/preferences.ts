import { t } from "@lingui/core/macro";
import {
  changePreferences,
  defaultPreferences,
  type Preferences,
} from "@purser/contract/workspace/preferences";
import { useQuery } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import { queryClient } from "../api/queryClient.ts";
import { rememberLanguage } from "../messages.ts";
import { runtime } from "../page/runtime.ts";
import { sessionQuery } from "./session.ts";

export const densityLabels: Record<Preferences["density"], string> = {
  comfortable: t`Comfortable`,
  compact: t`Compact`,
};

export const usePreferences = (): Preferences =>
  useQuery(sessionQuery).data?.preferences ?? defaultPreferences;

export const currentPreferences = (): Preferences =>
  queryClient.getQueryData(sessionQuery.queryKey)?.preferences ?? defaultPreferences;

const defaultViewsNames = { live: "defaultViews", test: "testModeDefaultViews" } as const;

/** Each mode has its own, because its shared views have other IDs. */
export const defaultViewsIn = (
  preferences: Pick<Preferences, "defaultViews" | "testModeDefaultViews">,
  mode = runtime.mode,
) => preferences[defaultViewsNames[mode]];

const show = (next: Preferences) =>
  queryClient.setQueryData(sessionQuery.queryKey, (me) => me && { ...me, preferences: next });

/** Applies changes optimistically, saves them, and restores the old ones if the server refuses. */
export const updatePreferences = async (changes: Partial<Preferences>) => {
  const before = currentPreferences();
  const columns = { ...before.columns, ...changes.columns };
  const views = { ...before.views, ...changes.views };
  const densities = { ...before.densities, ...changes.densities };
  const defaultViews = { ...before.defaultViews, ...changes.defaultViews };
  const testModeDefaultViews = { ...before.testModeDefaultViews, ...changes.testModeDefaultViews };
  show({
    ...before,
    ...changes,
    columns,
    views,
    densities,
    defaultViews,
    testModeDefaultViews,
  });
  try {
    await call(changePreferences, { body: changes });
  } catch (error) {
    show(before);
    throw error;
  }
  if (changes.language !== undefined && rememberLanguage(changes.language)) location.reload();
};

export const chooseDefaultView = (list: string, reference: string) =>
  updatePreferences({ [defaultViewsNames[runtime.mode]]: { [list]: reference } });
