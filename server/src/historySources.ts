import { findNamedPackages, findPublished } from "./modules/packages/versions/history.ts";
import { findUsers } from "./modules/users/customers/queries.ts";
import type { HistorySources } from "./platform/audit/actions/actions.ts";

/** Indexes of names have none of fewer than three characters. */
const namedFrom = 3;

export const historySources: HistorySources = {
  findNamed: async (db, typed, paging, reader) => {
    if (typed.length < namedFrom) return [];
    const query = { q: typed, f: [], sort: [], size: 20, count: "none" as const };
    const { items } = await findUsers(db, reader, query, paging);
    return [...items.map(({ id }) => id), ...(await findNamedPackages(db, typed, paging))];
  },
  findPublished,
};
