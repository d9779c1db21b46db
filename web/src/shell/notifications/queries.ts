import type { Wire } from "@purser/contract/http/endpoint";
import { listNotifications } from "@purser/contract/workspace/notifications";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";

export type Notification = Wire<typeof listNotifications>["reply"]["items"][number];

export const notificationsQuery = queryOptions({
  queryKey: ["notifications"],
  queryFn: () => call(listNotifications),
});
