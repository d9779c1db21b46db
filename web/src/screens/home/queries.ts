import type { Wire } from "@purser/contract/http/endpoint";
import {
  type AttentionKind,
  listAssignees,
  listAttention,
  listAttentionRecords,
} from "@purser/contract/reports/attention";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";

/** Refreshed when someone assigns or snoozes a record, and when the user comes back to the page. */
export const attentionKey = ["attention_marks", "rows"] as const;

/** Only what is assigned to the user, or everything. */
const ofOf = (isMine: boolean) => (isMine ? { of: "me" as const } : {});

export const attentionQuery = (isMine: boolean) =>
  queryOptions({
    queryKey: [...attentionKey, isMine],
    queryFn: ({ signal }) => call(listAttention, { query: ofOf(isMine), signal }),
  });
export type AttentionItem = Wire<typeof listAttention>["reply"]["items"][number];

export const attentionRecordsQuery = (kind: AttentionKind, isMine: boolean) =>
  queryOptions({
    queryKey: [...attentionKey, isMine, kind],
    queryFn: ({ signal }) =>
      call(listAttentionRecords, { query: { kind, ...ofOf(isMine) }, signal }),
  });
export type AttentionRecord = Wire<typeof listAttentionRecords>["reply"]["items"][number];

export const assigneesQuery = (kind: AttentionKind) =>
  queryOptions({
    queryKey: ["attention_marks", "assignees", kind],
    queryFn: ({ signal }) => call(listAssignees, { query: { kind }, signal }),
  });
