import { allows } from "@purser/contract/auth/permissions";
import { readableWith } from "@purser/contract/workspace/liveChanges";
import type { Session } from "../../auth/sessions/sessions.ts";
import type { Db } from "../../db/db.ts";
import { type Entry, findReadableEntries, type Stored } from "../activity.ts";
import { actionOf, type HistorySources, keyOf } from "./actions.ts";
import { findNames } from "./names.ts";

const actionsMax = 12;
const roundsMax = 4;

/** Whether a user can read a row. The table of users has customers and team members. */
const readableBy = (reader: Session) => (entity: string, row: Stored) => {
  const permission = entity === "users" && row["role"] ? "team:read" : readableWith[entity];
  return permission !== undefined && allows(reader, permission);
};

/** The newest actions of what this team member can read, without the entries of other tables. */
export const findRecentActions = async (
  db: Db,
  session: Session,
  { confidential, sources }: { confidential: readonly string[]; sources: HistorySources },
) => {
  const byAction = new Map<string, Entry[]>();
  let after: string | undefined;
  for (let round = 0; round < roundsMax && byAction.size <= actionsMax; round++) {
    const entries = await findReadableEntries(db, { after, confidential }, session);
    for (const entry of entries) {
      const own = byAction.get(keyOf(entry)) ?? [];
      if (!own.some(({ id }) => id === entry.id)) byAction.set(keyOf(entry), [...own, entry]);
    }
    const last = entries.at(-1)?.id;
    if (!last || last === after) break;
    after = last;
  }
  const shown = [...byAction.values()].slice(0, actionsMax);
  const entries = shown.flat();
  const names = await findNames(db, entries, readableBy(session));
  const published = await sources.findPublished(db, entries);
  return {
    items: shown.flatMap((own) => {
      const [head] = own;
      return head ? actionOf(head, own, { names, reader: session, published }) : [];
    }),
    names,
  };
};
