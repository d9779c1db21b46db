import type { Input } from "@purser/contract/http/endpoint";
import type { listAppDenials } from "@purser/contract/integration/endpoints";
import type { Db } from "#platform/db/db.ts";
import { readCursor, writeCursor } from "#platform/lists/cursor.ts";
import type { Paging } from "#platform/lists/list.ts";
import { localDateOf } from "#platform/periods.ts";
import { denialsPerPage, findDenialsOfApp, type Place } from "./denialQueries.ts";
import { startOf } from "./rules.ts";

type Query = Input<typeof listAppDenials>["query"];
type Asked = { appId: string; query: Query; paging: Paging };

const cursorName = "denials";

const placeOf = (after: string | undefined, { cursorKeys }: Paging): Place | null => {
  if (after === undefined) return null;
  const [day = "", feature = "", userId = ""] = readCursor(cursorKeys, after, cursorName);
  return { day, feature, userId };
};

/** The customers who were denied access for one reason, the latest day first. */
export const readDenialsOfApp = async (db: Db, { appId, query, paging }: Asked) => {
  const { zone, now, cursorKeys } = paging;
  const from = localDateOf(startOf(query.period, now), zone);
  const to = localDateOf(now, zone);
  const { reason, feature = null } = query;
  const after = placeOf(query.after, paging);
  const found = await findDenialsOfApp(db, { appId, reason, feature, from, to, after });
  const page = found.slice(0, denialsPerPage);
  const last = found.length > page.length ? page.at(-1) : undefined;
  const items = page.flatMap(({ userId, userName, email, featureId, featureName, ...row }) => {
    // Deleted since.
    if (userName === null || email === null || featureId === null || featureName === null)
      return [];
    const { code, day, count, lastAt } = row;
    return [
      {
        user: { id: userId, name: userName, email },
        feature: { id: featureId, code, name: featureName },
        day,
        count,
        lastAt,
      },
    ];
  });
  const next =
    last &&
    writeCursor(cursorKeys, { sort: cursorName, values: [last.day, last.code, last.userId] });
  return { from, to, items, next: next ?? null };
};
