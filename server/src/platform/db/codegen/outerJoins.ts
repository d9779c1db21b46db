import type { Column } from "./catalog.ts";

type Plan = {
  Plans?: Plan[];
  Output?: string[];
  Alias?: string;
  Schema?: string;
  "Relation Name"?: string;
  "Join Type"?: string;
  "Parent Relationship"?: string;
};

/** A table in a plan under one name, and whether an outer join can leave it without a row. */
type Scan = { alias: string; table: string | null; isOptional: boolean };

/** The tables that a plan reads, and the source of each result column. */
export type Join = { scans: Scan[]; output: string[] };

/** The side of a join, as plans name it, that may have no row. */
const optionalSides: Record<string, readonly string[]> = {
  Left: ["Inner"],
  Right: ["Outer"],
  Full: ["Inner", "Outer"],
};

/** The plan has a scan of each partition, whose alias has a number, but the result has columns of the whole table. */
const wholeOf = ({ Alias: alias = "", Schema: schema, "Relation Name": relation }: Plan) => {
  if (schema !== "partitions" || !relation)
    return { alias, table: relation ? `${schema}.${relation}` : null };
  const table = relation.replace(/_(first|later|[\d_]+)$/, "");
  return { alias: alias.replace(/_\d+$/, ""), table: `public.${table}` };
};

const scansOf = (plan: Plan, isOptional: boolean): Scan[] => {
  const { Alias: alias, Plans: parts = [] } = plan;
  const optional = optionalSides[plan["Join Type"] ?? ""] ?? [];
  const own = alias ? [{ ...wholeOf(plan), isOptional }] : [];
  const inside = parts.flatMap((part) =>
    scansOf(part, isOptional || optional.includes(part["Parent Relationship"] ?? "")),
  );
  return [...own, ...inside];
};

export const joinsOf = (plan: Plan): Join[] => [
  { scans: scansOf(plan, false), output: plan.Output ?? [] },
];

const columnOfAlias = /^\(*("[^"]+"|\w+)\.("[^"]+"|\w+)\)*$/;

/**
 * Whether an outer join may leave this column of a result null. Where the plan doesn't name the table that
 * the column is read from, any optional use of that table counts.
 */
export const mayBeMissing = (joins: Join[], { schema, table }: Column, index: number) =>
  joins.some(({ scans, output }) => {
    const alias = columnOfAlias.exec(output[index] ?? "")?.[1]?.replaceAll('"', "");
    const read = scans.find((scan) => scan.alias === alias);
    if (read?.table === `${schema}.${table}`) return read.isOptional;
    const reads = scans.filter((scan) => scan.table === `${schema}.${table}`);
    const isDerived = scans.some((scan) => scan.table === null && scan.isOptional);
    return reads.length === 0 || isDerived || reads.some(({ isOptional }) => isOptional);
  });
