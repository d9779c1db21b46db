import { type Catalog, catalog } from "@purser/contract/catalog/catalog";
import type { FieldError } from "@purser/contract/http/problem";
import { Problem } from "#platform/http/problem.ts";
import { type Fault, type Parsed, pointerOf } from "./parse.ts";
import { Overrun, workOnFile } from "./worker.ts";

const errorsMax = 100;

const parse = async (source: string): Promise<Parsed> => {
  try {
    return await workOnFile({ read: source });
  } catch (error) {
    if (!(error instanceof Overrun)) throw error;
    const message = `${error.message} Make the file smaller.`;
    return { faults: [{ line: 1, column: 1, path: [], message }] };
  }
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** The path to a value, with codes instead of list positions: "apps/harbor/features/seats". */
const pathTo = (root: unknown, path: readonly PropertyKey[]) => {
  let value = root;
  const steps = path.map((step) => {
    value = isRecord(value) ? value[String(step)] : undefined;
    if (typeof step !== "number") return String(step);
    return isRecord(value) && typeof value["code"] === "string" ? value["code"] : `${step + 1}`;
  });
  return steps.join("/");
};

/** Messages for the dashboard say on or off. A file has true and false. */
export const withFileTerms = (message: string) => message.replace("on or off", "true or false");

const errorAt = ({ line, column, path, message }: Fault, code: string): FieldError => ({
  in: "body",
  pointer: `/source${pointerOf(path)}`,
  code,
  message: withFileTerms(message),
  line,
  column,
});

const refusalOf = (errors: FieldError[]) => {
  const [first] = errors;
  const more = errors.length > 1 ? ` ${errors.length - 1} more need to change.` : "";
  const shown = errors.slice(0, errorsMax);
  return new Problem("invalid", `Line ${first?.line}: ${first?.message}${more}`, { errors: shown });
};

export type Placed = { catalog: Catalog; placeOf: (path: readonly PropertyKey[]) => Place };
type Place = { line: number; column: number };

/** Reads a catalog from YAML or JSON. Throws a problem with the line of every error. */
export const readCatalogFile = async (source: string): Promise<Placed> => {
  const parsed = await parse(source);
  if ("faults" in parsed)
    throw refusalOf(parsed.faults.map((fault) => errorAt(fault, "unreadable")));
  const { value, places } = parsed;
  const placeOf = (path: readonly PropertyKey[]): Place =>
    places.get(pointerOf(path)) ??
    (path.length > 0 ? placeOf(path.slice(0, -1)) : { line: 1, column: 1 });
  const checked = catalog.safeParse(value);
  if (checked.success) return { catalog: checked.data, placeOf };
  const errors = checked.error.issues.flatMap((issue) => {
    const keys = issue.code === "unrecognized_keys" ? issue.keys : [];
    const paths = keys.length > 0 ? keys.map((key) => [...issue.path, key]) : [issue.path];
    return paths.map((path) => {
      const message = `${pathTo(value, path) || "The file"} ${issue.message}.`;
      const steps = path.map((step) => (typeof step === "symbol" ? String(step) : step));
      return errorAt({ ...placeOf(path), path: steps, message }, issue.code);
    });
  });
  throw refusalOf(errors.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)));
};
