import { countUnread } from "@purser/contract/workspace/unread";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";

/** The list itself is loaded when the bell is opened. */
export const unreadQuery = queryOptions({
  queryKey: ["notifications", "unread"],
  queryFn: () => call(countUnread),
});
