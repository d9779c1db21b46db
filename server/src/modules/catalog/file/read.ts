import { type Catalog, catalog } from "@purser/contract/catalog/catalog";
import type { FieldError } from "@purser/contract/http/problem";
import type { Message } from "@purser/contract/messages/message";
import { fieldError, Problem } from "#platform/http/problem.ts";
import { message, ruleMessage } from "#platform/messages.ts";
import { type Fault, type Parsed, pointerOf } from "./parse.ts";
import { Overrun, workOnFile } from "./worker.ts";

const errorsMax = 100;

const tooCostly = {
  time: message("catalog_file_time", "The file takes too much processing time. Make it smaller."),
  memory: message("catalog_file_memory", "The file takes too much memory. Make it smaller."),
};

const parse = async (source: string, work: typeof workOnFile): Promise<Parsed> => {
  try {
    return await work({ read: source });
  } catch (error) {
    if (!(error instanceof Overrun)) throw error;
    return { faults: [{ line: 1, column: 1, path: [], message: tooCostly[error.limit] }] };
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
export const inFileTerms = (given: Message): Message => {
  if (given.code === "switch_expected")
    return message("catalog_switch_expected", "Enter true or false.");
  const { feature = "", app = "" } = given.parameters ?? {};
  return given.code === "feature_value_switch"
    ? message("catalog_value_switch", "Enter true or false for {feature} in {app}.", {
        feature,
        app,
      })
    : given;
};

const errorAt = ({ line, column, path, message: fault }: Fault): FieldError => ({
  ...fieldError(`/source${pointerOf(path)}`, fault),
  line,
  column,
});

const refusalOf = (errors: FieldError[]) =>
  new Problem(
    "invalid",
    message(
      "catalog_file_invalid",
      "The file has {count, plural, one {# error} other {# errors}}. The first one is in line {line}.",
      { count: errors.length, line: errors[0]?.line ?? 1 },
    ),
    { errors: errors.slice(0, errorsMax) },
  );

export type Placed = { catalog: Catalog; placeOf: (path: readonly PropertyKey[]) => Place };
type Place = { line: number; column: number };

/** Reads a catalog from YAML or JSON. Throws a problem with the line of every error. */
export const readCatalogFile = async (source: string, work = workOnFile): Promise<Placed> => {
  const parsed = await parse(source, work);
  if ("faults" in parsed) throw refusalOf(parsed.faults.map(errorAt));
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
      const found = inFileTerms(ruleMessage(issue.message));
      // Sent as a parameter, because the pointer has positions instead of codes.
      const parameters = { ...found.parameters, path: pathTo(value, path) };
      const steps = path.map((step) => (typeof step === "symbol" ? String(step) : step));
      return errorAt({ ...placeOf(path), path: steps, message: { ...found, parameters } });
    });
  });
  throw refusalOf(errors.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)));
};
