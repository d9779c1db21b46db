import { type ImportMapping, importMappingsMax } from "@purser/contract/workspace/importMappings";
import type { ImportKind } from "@purser/contract/workspace/imports";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

const mappings = statement(
  "imports.mappings",
  `select m.id, m.kind, m.name, m.fields, jsonb_build_object('id', u.id, 'name', u.name) as "createdBy",
     m.created_at as "createdAt"
   from import_mappings m join users u on u.id = m.created_by`,
).narrow<ImportMapping>();
const ofKind = mappings.with(`where m.kind = $1 order by lower(m.name) limit ${importMappingsMax}`);
const one = mappings.with("where m.id = $1");

export const findMappings = (db: Db, kind: ImportKind) => run(db, ofKind, [kind]);
export const findOneMapping = (db: Db, id: string) => first(db, one, [id]);

const insertSql = statement(
  "imports.insertMapping",
  `insert into import_mappings (kind, name, fields, created_by)
   select $1::text, $2, $3::jsonb, $4
   where (select count(*) from import_mappings where kind = $1) < ${importMappingsMax} returning id`,
);

type NewMapping = Pick<ImportMapping, "kind" | "name" | "fields"> & { createdBy: string };

/** Undefined if there are too many. */
export const insertMapping = async (db: Db, { kind, name, fields, createdBy }: NewMapping) =>
  (await first(db, insertSql, [kind, name, JSON.stringify(fields), createdBy]))?.id;

export const deleteMapping = async (db: Db, id: string) => {
  await run(db, "delete from import_mappings where id = $1", [id]);
};
