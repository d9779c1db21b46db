import type { Node } from "libpg-query";
import { findNodes, namesIn, type ParsedMigration } from "./parse.ts";

// Rules for whole statements.

/** Of a DROP or an operation on a trigger: the table, or the name of what is dropped. */
const droppedNames = (objects: readonly Node[] = []) =>
  objects.map((one) => {
    if ("List" in one) return namesIn(one.List.items);
    if ("ObjectWithArgs" in one) return namesIn(one.ObjectWithArgs.objname);
    if ("TypeName" in one) return namesIn(one.TypeName.names);
    return namesIn([one]);
  });

export const indexFaults = ({ statements, created, directives }: ParsedMigration) =>
  statements.flatMap((node) => {
    if ("DropStmt" in node && node.DropStmt.removeType === "OBJECT_INDEX")
      return node.DropStmt.concurrent
        ? []
        : ["Dropping an index locks its table. Drop it concurrently, without a transaction."];
    if (!("IndexStmt" in node)) return [];
    const { idxname, relation, concurrent } = node.IndexStmt;
    if (created.has(relation?.relname ?? "")) return [];
    if (!concurrent)
      return [
        `Building the index ${idxname} blocks writes to ${relation?.relname}. Build it concurrently, without a transaction.`,
      ];
    return directives.isTransactional
      ? [`The index ${idxname} can only be built with "-- without transaction" in the first line.`]
      : [];
  });

const usedByCode = new Set(
  ["TABLE", "COLUMN", "ATTRIBUTE", "VIEW", "MATVIEW", "SEQUENCE", "FUNCTION", "PROCEDURE"]
    .concat(["ROUTINE", "AGGREGATE", "TYPE", "DOMAIN", "SCHEMA", "EXTENSION"])
    .map((kind) => `OBJECT_${kind}`),
);

const removedBy = (node: Node, created: ReadonlySet<string>): string[] => {
  if ("DropStmt" in node && usedByCode.has(node.DropStmt.removeType ?? ""))
    return droppedNames(node.DropStmt.objects)
      .filter((names) => !created.has(names.at(-1) ?? ""))
      .map((names) => `drops ${names.join(".")}`);
  if ("RenameStmt" in node && usedByCode.has(node.RenameStmt.renameType ?? "")) {
    const { relation, subname, newname } = node.RenameStmt;
    return [`renames ${[relation?.relname, subname].filter(Boolean).join(".") || `to ${newname}`}`];
  }
  if ("AlterObjectSchemaStmt" in node) return ["moves something to another schema"];
  return [];
};

/** The previous release runs next to the new one, so what it uses can only be removed one release later. */
export const removalFaults = (file: ParsedMigration, releases: readonly string[]) => {
  const removed = [
    ...file.statements.flatMap((node) => removedBy(node, file.created)),
    ...file.alterations
      .filter(({ command }) => command.subtype === "AT_DropColumn")
      .map(({ table, command }) => `drops ${table}.${command.name}`),
  ];
  const [since] = file.directives.unusedSince;
  if (removed.length === 0) return [];
  if (!since)
    return removed.map(
      (what) =>
        `It ${what}. Name the release whose code stopped using it: "-- unused since <version>".`,
    );
  return releases.includes(since)
    ? []
    : [
        `It ${removed[0]}, unused since ${since}, which isn't a release in CHANGELOG.md. The code must be released first.`,
      ];
};

const isKey = (node: Node | undefined) =>
  node !== undefined && "ColumnRef" in node && namesIn(node.ColumnRef.fields).at(-1) === "id";

/** One row, or a list of rows: `id = …`, `id in (…)`, possibly with other conditions. */
const namesRows = (where: Node | undefined): boolean => {
  if (!where) return false;
  if ("BoolExpr" in where)
    return where.BoolExpr.boolop === "AND_EXPR" && (where.BoolExpr.args ?? []).some(namesRows);
  if (!("A_Expr" in where)) return false;
  const { kind, name, lexpr, rexpr } = where.A_Expr;
  if (!isKey(lexpr) || findNodes(rexpr, "ColumnRef").length > 0) return false;
  return kind === "AEXPR_IN" || (kind === "AEXPR_OP" && namesIn(name).join() === "=");
};

const tableOf = (node: Record<string, unknown>) =>
  findNodes({ RangeVar: node["relation"] }, "RangeVar")[0]?.["relname"];

const copiesRows = (insert: Record<string, unknown>, created: ReadonlySet<string>) =>
  findNodes(insert["selectStmt"], "RangeVar").some(({ relname }) => !created.has(String(relname)));

/** Rows that exist are converted in batches. One large statement would keep its locks until the end. */
export const dataFaults = ({ statements, created }: ParsedMigration) =>
  statements
    .filter((node) => !("CreateFunctionStmt" in node))
    .flatMap((node) => {
      const changes = [
        ...["UpdateStmt", "DeleteStmt", "MergeStmt"].flatMap((type) =>
          findNodes(node, type)
            .filter((one) => !namesRows(one["whereClause"] as Node | undefined))
            .map(tableOf)
            .filter((table) => !created.has(String(table))),
        ),
        ...findNodes(node, "InsertStmt")
          .filter((one) => copiesRows(one, created))
          .map(tableOf),
        ...("CreateTableAsStmt" in node ? ["a new table"] : []),
      ];
      return changes.map(
        (table) => `It writes many rows of ${table}. Convert existing rows with a backfill.`,
      );
    });

const refused: Record<string, string> = {
  TransactionStmt: "The runner begins and ends transactions. Remove BEGIN, COMMIT and ROLLBACK.",
  VariableSetStmt: "A setting would apply to the following migrations too. Remove SET.",
  LockStmt: "LOCK TABLE blocks other sessions. Statements take the locks that they need.",
  TruncateStmt: "TRUNCATE locks its table and deletes rows that the previous release uses.",
  ClusterStmt: "CLUSTER rewrites a table while it is locked.",
  ReindexStmt: "REINDEX blocks writes. Build a new index concurrently and drop the old one.",
  RefreshMatViewStmt: "REFRESH MATERIALIZED VIEW takes long. Do it in a job.",
  DoStmt: "A DO block can't be checked. Write plain statements.",
};

export const statementFaults = ({ statements }: ParsedMigration) =>
  statements.flatMap((node) => {
    if ("VacuumStmt" in node && node.VacuumStmt.is_vacuumcmd)
      return ["VACUUM takes long. Autovacuum does it."];
    return Object.keys(node).flatMap((type) => refused[type] ?? []);
  });

const lockedBy = (node: Node) => {
  if ("AlterTableStmt" in node) return [node.AlterTableStmt.relation?.relname];
  if ("CreateTrigStmt" in node) return [node.CreateTrigStmt.relation?.relname];
  if ("RenameStmt" in node) return [node.RenameStmt.relation?.relname];
  if (!("DropStmt" in node)) return [];
  const { removeType, objects } = node.DropStmt;
  if (removeType === "OBJECT_TABLE") return droppedNames(objects).map((names) => names.at(-1));
  return removeType === "OBJECT_TRIGGER" ? droppedNames(objects).map((names) => names.at(-2)) : [];
};

/** While a transaction waits for the lock of a second table, all sessions that use the first one wait too. */
export const lockFaults = ({ statements, created, directives }: ParsedMigration) => {
  const locked = new Set(
    statements.flatMap(lockedBy).filter((table) => table && !created.has(table)),
  );
  return directives.isTransactional && locked.size > 1
    ? [
        `It locks several tables that are in use: ${[...locked].join(", ")}. Use one migration each.`,
      ]
    : [];
};

const isRepeatable = (node: Node) => {
  if ("IndexStmt" in node)
    return Boolean(node.IndexStmt.concurrent && node.IndexStmt.if_not_exists);
  if ("DropStmt" in node) return Boolean(node.DropStmt.concurrent && node.DropStmt.missing_ok);
  if ("AlterEnumStmt" in node) return Boolean(node.AlterEnumStmt.skipIfNewValExists);
  if ("VacuumStmt" in node) return true;
  if (!("AlterTableStmt" in node)) return false;
  return findNodes(node, "AlterTableCmd").every(
    (one) => one["subtype"] === "AT_ValidateConstraint",
  );
};

/** After a failure the whole file runs again. */
export const repeatFaults = ({ statements, directives }: ParsedMigration) =>
  directives.isTransactional
    ? []
    : statements
        .filter((node) => !isRepeatable(node))
        .map(
          (node) =>
            `${Object.keys(node)[0]}: without a transaction only statements that can be repeated are allowed: CREATE INDEX CONCURRENTLY IF NOT EXISTS, DROP INDEX CONCURRENTLY IF EXISTS, VALIDATE CONSTRAINT, ALTER TYPE … ADD VALUE IF NOT EXISTS, ANALYZE.`,
        );
