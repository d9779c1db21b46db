import { listTeam } from "@purser/contract/users/team";
import { getAuditEntry, getVerification, listAudit } from "@purser/contract/workspace/audit";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import type { Asked } from "#ui/list/declaration.ts";
import type { Entry } from "#ui/record/Activity.tsx";
import type { Relation } from "#ui/record/relation.ts";

export const readLog = (query: Asked, signal: AbortSignal) => call(listAudit, { query, signal });

export const readEntry = (id: string) => call(getAuditEntry, { params: { id } });

/** Entries have no page; they open in the log by their number. */
export const linkOf = ({ id }: Pick<Entry, "id">) => `/audit?preview=${id}`;

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
