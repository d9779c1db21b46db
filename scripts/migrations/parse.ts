import { type AlterTableCmd, type Node, parse } from "libpg-query";
import {
  directivesOf,
  type Migration,
  splitStatements,
} from "../../server/src/platform/db/migrations/files.ts";

/** One command of an ALTER TABLE on a table that other sessions use. */
export type Alteration = { table: string; command: AlterTableCmd };

export type ParsedMigration = Migration & {
  directives: ReturnType<typeof directivesOf>;
  statements: Node[];
  /** Tables of this file. No one uses them before it is applied, so no one waits for their locks. */
  created: ReadonlySet<string>;
  alterations: Alteration[];
};

const nodesOf = async (text: string) =>
  ((await parse(text)).stmts ?? []).flatMap(({ stmt }) => (stmt ? [stmt] : []));

const alterationsOf = (node: Node): Alteration[] => {
  if (!("AlterTableStmt" in node)) return [];
  const { relation, cmds = [] } = node.AlterTableStmt;
  return cmds.flatMap((one) =>
    "AlterTableCmd" in one ? [{ table: relation?.relname ?? "", command: one.AlterTableCmd }] : [],
  );
};

export const parseMigration = async (migration: Migration): Promise<ParsedMigration> => {
  const statements = await nodesOf(migration.text);
  const created = new Set(
    statements.flatMap((node) =>
      "CreateStmt" in node ? (node.CreateStmt.relation?.relname ?? []) : [],
    ),
  );
  return {
    ...migration,
    directives: directivesOf(migration.text),
    statements,
    created,
    alterations: statements.flatMap(alterationsOf).filter(({ table }) => !created.has(table)),
  };
};

/** Whether the runner, which has no parser, finds the same statements. */
export const isSplitRight = async (text: string) => {
  const counts = await Promise.all(
    splitStatements(text).map((one) =>
      nodesOf(one).then(
        (nodes) => nodes.length,
        () => 0,
      ),
    ),
  );
  return counts.every((count) => count === 1);
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** Every node of these types inside a node. The bodies of functions are plain text and not searched. */
export const findNodes = (value: unknown, type: string): Record<string, unknown>[] => {
  if (Array.isArray(value)) return value.flatMap((one) => findNodes(one, type));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key === type && isObject(inner) ? [inner] : []),
    ...findNodes(inner, type),
  ]);
};

/** The parts of a name, such as `public.apps` or `a.id`. */
export const namesIn = (nodes: readonly Node[] = []) =>
  nodes.flatMap((one) => ("String" in one ? (one.String.sval ?? []) : []));
