import { writeCursor } from "../../server/src/platform/lists/cursor.ts";
import type { BenchDatabase } from "./setup/database.ts";

/** A request to the product. It is compared with the statements that it executes. */
export type Case = { name: string; path: string };

export const pageOne = "list, page 1";
export const deepPage = "list, at 90 % of the rows";
export const oneApp = "one app by id";

/** The ID of the app at this share of the list. */
const idAt = async ({ query }: BenchDatabase, share: number) => {
  const [row] = await query<{ id: string }>(
    `select id from apps order by id desc
     offset (select ($1::float8 * count(*))::bigint from apps) limit 1`,
    [share],
  );
  if (!row) throw new Error("There are no apps.");
  return row.id;
};

export const listCases = async (database: BenchDatabase, cursorKeys: string[]): Promise<Case[]> => {
  const after = writeCursor(cursorKeys, { sort: "", values: [await idAt(database, 0.9)] });
  return [
    { name: pageOne, path: "/api/apps" },
    { name: deepPage, path: `/api/apps?after=${after}` },
    { name: "list, by name", path: "/api/apps?sort=name" },
    { name: "list, active ones", path: "/api/apps?f=status:any:active" },
  ];
};

export const getCases = async (database: BenchDatabase): Promise<Case[]> => [
  { name: oneApp, path: `/api/apps/${await idAt(database, 0.5)}` },
];

/** Searches for one user by each key, and for a name that many users have. */
export const userCases = async ({ query }: BenchDatabase): Promise<Case[]> => {
  const [user] = await query<{ email: string; name: string; externalId: string; number: string }>(
    `select email, name, external_id as "externalId", number from users
     where external_id is not null
     order by id offset (select count(*) / 2 from users where external_id is not null) limit 1`,
  );
  if (!user) throw new Error("There is no user with an external ID.");
  const { email, name, externalId, number } = user;
  const search = (typed: string) => `/api/users?q=${encodeURIComponent(typed)}`;
  return [
    { name: "by the beginning of the address", path: search(email.split("@")[0] ?? "") },
    { name: "by a part of the name", path: search(name.slice(3)) },
    { name: "by the external id", path: search(externalId) },
    { name: "by the number", path: search(number) },
    // Without a count, because counting stops after a time limit and would differ between rounds.
    { name: "by a name that many have", path: `${search("costa")}&count=none` },
  ];
};
