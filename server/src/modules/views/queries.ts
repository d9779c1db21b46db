import {
  type SharedView,
  type SharedViewDetails,
  sharedViewsMax,
} from "@purser/contract/workspace/sharedViews";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

const views = statement(
  "views.views",
  `select v.id, v.list, v.name, v.q, v.f, v.sort, v.cols, v.is_default as "isDefault",
     case when u.id is not null then jsonb_build_object('id', u.id, 'name', u.name) end as owner
   from shared_views v left join users u on u.id = v.owner_id`,
).narrow<{ owner: SharedView["owner"] }>();
const all = views.with("order by v.list, v.id limit 500");
const one = views.with("where v.id = $1");

/** In the order in which they were shared. */
export const findSharedViews = (db: Db) => run(db, all);

export const findSharedView = (db: Db, id: string) => first(db, one, [id]);

/** Locks before reading, so that a caller that waited reads the newest row. */
export const lockSharedView = async (db: Db, id: string) => {
  await run(db, "select from shared_views where id = $1 for update", [id]);
  return findSharedView(db, id);
};

const valuesOf = ({ name, q, f, sort, cols, isDefault }: SharedViewDetails) => [
  name,
  q ?? null,
  f,
  sort ?? null,
  cols ?? null,
  isDefault,
];

const insert = statement(
  "views.insert",
  `insert into shared_views (name, q, f, sort, cols, is_default, list, owner_id)
   select $1, $2, $3, $4, $5, $6, $7, $8
   where (select count(*) from shared_views where list = $7) < ${sharedViewsMax} returning id`,
);

/** Its id, or undefined if the list has too many already. */
export const insertSharedView = async (
  db: Db,
  list: string,
  ownerId: string,
  details: SharedViewDetails,
) => (await first(db, insert, [...valuesOf(details), list, ownerId]))?.id;

export const updateSharedView = (db: Db, id: string, details: SharedViewDetails) =>
  run(
    db,
    `update shared_views set name = $1, q = $2, f = $3, sort = $4, cols = $5, is_default = $6
     where id = $7`,
    [...valuesOf(details), id],
  );

/** Before another view of the list becomes the default. */
export const clearDefault = (db: Db, list: string) =>
  run(db, "update shared_views set is_default = false where list = $1 and is_default", [list]);

export const removeSharedView = (db: Db, id: string) =>
  run(db, "delete from shared_views where id = $1", [id]);
