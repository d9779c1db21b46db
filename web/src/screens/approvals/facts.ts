import { roleNames } from "#lib/labels/roles.ts";
import { formatDateTime } from "#lib/time/dates.ts";
import type { FieldChange } from "#ui/record/Diff.tsx";
import type { Approval } from "./queries.ts";

type Fact = Approval["facts"][number];

const instants = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const names: Record<string, string | undefined> = roleNames;

/** Dates in the company's time zone, and roles by their names. */
const readable = ({ label, value }: Fact, zone: string) => {
  if (/role$/i.test(label)) return names[value] ?? value;
  return value.replace(instants, (at) => formatDateTime(zone, new Date(at)));
};

export const factRows = (facts: readonly Fact[], zone: string): [string, string][] =>
  facts.map((fact) => [fact.label, readable(fact, zone)]);

/** Facts of the form "before → after". */
export const changesIn = (facts: readonly Fact[]): FieldChange[] =>
  facts.flatMap(({ label, value }) => {
    const [before, after, ...rest] = value.split(" → ");
    const isChange = before !== undefined && after !== undefined && rest.length === 0;
    return isChange ? [{ field: label, before, after }] : [];
  });

export const factsBesides = (facts: readonly Fact[], changes: readonly FieldChange[]) =>
  facts.filter(({ label }) => !changes.some(({ field }) => field === label));
