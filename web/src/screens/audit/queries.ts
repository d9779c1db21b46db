import { t } from "@lingui/core/macro";
import { listTeam } from "@purser/contract/users/team";
import { getVerification, listAudit } from "@purser/contract/workspace/audit";
import { getAction, listActions } from "@purser/contract/workspace/history";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import type { Entry } from "#ui/record/Activity.tsx";
import type { Relation } from "#ui/record/relation.ts";
import { termsIn } from "./searchTerms.ts";

export type Narrowed = { q?: string | undefined; f: string[] };

const queryOf = ({ q, f }: Narrowed) => ({
  ...(q && { q, ...termsIn(q) }),
  ...(f.length > 0 && { f }),
});

/** A page of actions, newest first. */
export const readActions = (
  narrowed: Narrowed,
  more: { after?: string; size?: string },
  signal: AbortSignal,
) => call(listActions, { query: { ...queryOf(narrowed), ...more }, signal });

/** The key marks it as a list, which decides itself when it shows new actions. */
export const actionsQuery = ({ q, f }: Narrowed) =>
  infiniteQueryOptions({
    queryKey: ["audit", "list", { q, f }],
    queryFn: ({ pageParam, signal }) =>
      readActions({ q, f }, pageParam ? { after: pageParam } : {}, signal),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });

/** The action of an entry with all of its changes. */
export const actionQuery = (id: string) =>
  queryOptions({
    queryKey: ["audit", "action", id],
    queryFn: () => call(getAction, { params: { id } }),
  });

export const verificationQuery = queryOptions({
  queryKey: ["audit", "verification"],
  queryFn: () => call(getVerification),
});

type TeamMember = { id: string; name: string; email: string };
const relatedOf = ({ id, name, email }: TeamMember) => ({ id, name: name || email, code: email });

/** Searches team members by name or email. */
export const anyColleague: Relation = {
  name: "team",
  scope: "",
  hint: t`Name or email`,
  find: async (typed, signal) => {
    const query = { size: "10", count: "none" as const, ...(typed && { q: typed }) };
    return (await call(listTeam, { query, signal })).items.map(relatedOf);
  },
  read: async (id) => {
    const { items } = await call(listAudit, {
      query: { f: [`actor:any:${id}`], size: "1", count: "none" },
    });
    return { id, name: items[0]?.actor.name ?? id, code: "" };
  },
};

const recordOf = ({ recordId, label, entity }: Entry) => ({
  id: recordId,
  name: label,
  code: entity,
});

/** Searches records in the log by ID or by the reason of a change. */
export const anyRecord: Relation = {
  name: "audit",
  scope: "records",
  hint: t`ID or reason`,
  find: async (typed, signal) => {
    const query = { size: "25", count: "none" as const, ...(typed && { q: typed }) };
    const { items } = await call(listAudit, { query, signal });
    const known = new Map(items.map((entry) => [entry.recordId, recordOf(entry)]));
    return [...known.values()].slice(0, 10);
  },
  read: async (id) => {
    const query = { f: [`record:any:${id}`], size: "1", count: "none" as const };
    const [entry] = (await call(listAudit, { query })).items;
    return entry ? recordOf(entry) : { id, name: id, code: "" };
  },
};
