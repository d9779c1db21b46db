import type { AnswerReason } from "@purser/contract/entitlements/explanation";
import { useQuery } from "@tanstack/react-query";
import { denialsQuery, type User } from "../queries.ts";
import { hasAccess } from "./entitlementRows.ts";
import { explanationQuery } from "./queries.ts";

/** Reasons that go away once the customer gets the feature. */
export const isHelped: Partial<Record<AnswerReason, true>> = {
  "not included": true,
  expired: true,
  revoked: true,
  "not started": true,
  "amount exceeds remaining": true,
};

/** What apps denied lately, by feature. */
export type Denied = ReadonlyMap<string, { count: number; lastAt: string }>;

/** The features that apps denied lately and that the customer doesn't have now. */
export const useDenied = (user: User, isWanted: boolean): Denied | undefined => {
  const { data: denials, isError } = useQuery({ ...denialsQuery(user.id), enabled: isWanted });
  const now = useQuery({ ...explanationQuery(user.id, undefined), enabled: isWanted }).data;
  if (!isWanted || isError) return new Map();
  if (!(denials && now)) return undefined;
  const missing = new Set(
    now.items.filter((one) => !hasAccess(one)).map(({ feature }) => feature.id),
  );
  const denied = new Map<string, { count: number; lastAt: string }>();
  for (const { feature, reason, count, lastAt } of denials) {
    if (!(isHelped[reason] && missing.has(feature.id))) continue;
    const known = denied.get(feature.id);
    const latest = known && known.lastAt > lastAt ? known.lastAt : lastAt;
    denied.set(feature.id, { count: count + (known?.count ?? 0), lastAt: latest });
  }
  return denied;
};
