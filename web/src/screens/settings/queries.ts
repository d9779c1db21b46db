import type { Wire } from "@purser/contract/http/endpoint";
import { getSettings } from "@purser/contract/workspace/settings";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";

export type Settings = Wire<typeof getSettings>["reply"];

export const settingsQuery = queryOptions({
  queryKey: ["settings", "all"],
  queryFn: () => call(getSettings),
});
