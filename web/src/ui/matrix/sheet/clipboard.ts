import {
  cellOf,
  readValue,
  refusalOfValue,
  unlimited,
  type Value,
} from "@purser/contract/fields/values";
import { type Content, isWrong, type MatrixApp, type MatrixFeature } from "./cells.ts";

const quoted = (text: string) =>
  /["\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** Rows as a spreadsheet takes them. */
export const writeTsv = (rows: readonly (readonly string[])[]) =>
  rows.map((row) => row.map(quoted).join("\t")).join("\n");

/** A quoted field from its opening quote on: its text, and where it ends. */
const quotedField = (source: string, from: number) => {
  let text = "";
  let at = from + 1;
  while (at < source.length) {
    if (source[at] !== '"') text += source[at];
    else if (source[at + 1] === '"') {
      text += '"';
      at += 1;
    } else break;
    at += 1;
  }
  return { text, end: at + 1 };
};

/** What a spreadsheet, or anything else, put on the clipboard. Its last line may end or not. */
export const readTsv = (given: string): string[][] => {
  const source = given.replace(/\r\n?/g, "\n").replace(/\n$/, "");
  const rows: string[][] = [[]];
  let at = 0;
  for (;;) {
    const isQuoted = source[at] === '"';
    const stop = source.slice(at).search(/[\t\n]/);
    const field = isQuoted
      ? quotedField(source, at)
      : { text: source.slice(at, stop === -1 ? undefined : at + stop), end: -1 };
    const end = isQuoted ? field.end : stop === -1 ? source.length : at + stop;
    rows.at(-1)?.push(field.text);
    if (end >= source.length) return rows;
    if (source[end] === "\n") rows.push([]);
    at = end + 1;
  }
};

/** A cell on the clipboard: empty is the default. */
export const copied = (content: Content) => {
  if (content === null) return "";
  return isWrong(content) ? content.typed : cellOf(content);
};

/** What stands in an editor when it opens. */
export const editedText = (content: Content) =>
  content === unlimited ? "no limit" : copied(content);

/** What somebody typed into a cell. */
export const typedContent = (feature: MatrixFeature, source: string): Content => {
  const typed = source.trim();
  if (typed === "") return null;
  const value = readValue(feature, typed);
  if (value !== undefined) return value;
  return { typed, why: refusalOfValue(feature, typed) ?? "is no value of this feature" };
};

type Target = { app: MatrixApp; feature: MatrixFeature };
export type Pasted = { set: [feature: string, content: Value | null][]; rejected: number };

/** Each target takes the field beside it; what has no place, or does not fit, is rejected. */
const pairUp = (targets: readonly (Target | undefined)[], fields: readonly string[]): Pasted => {
  const pasted: Pasted = { set: [], rejected: 0 };
  for (const [place, field] of fields.entries()) {
    const target = targets[place];
    const content = target ? typedContent(target.feature, field) : undefined;
    if (!target || content === undefined || isWrong(content)) pasted.rejected += 1;
    else pasted.set.push([target.feature.id, content]);
  }
  return pasted;
};

/** One content for many cells: those whose features it does not fit stay as they are. */
export const fillWith = (content: Content, targets: readonly Pick<Target, "feature">[]): Pasted => {
  if (isWrong(content)) return { set: [], rejected: targets.length };
  const fitting = targets.filter(
    ({ feature }) => content === null || refusalOfValue(feature, content) === null,
  );
  return {
    set: fitting.map(({ feature }) => [feature.id, content]),
    rejected: targets.length - fitting.length,
  };
};

const namesOf = ({ app, feature }: Target) =>
  [`${app.code}.${feature.code}`, feature.code, feature.name].map((name) => name.toLowerCase());

/** Whether the first column says which feature each line is for. */
const byName = (rows: readonly string[][], all: readonly Target[]) => {
  if (rows.some((row) => row.length !== 2)) return null;
  const targets = rows.map(([name = ""]) => {
    const wanted = name.trim().toLowerCase();
    return all.find((target) => namesOf(target).includes(wanted));
  });
  return targets.some(Boolean) ? targets : null;
};

type Places = {
  /** The cells from the one with the focus down. */
  below: readonly Target[];
  /** The selected cells, where there are several. */
  selected: readonly Target[];
  all: readonly Target[];
};

/**
 * What a pasted text sets. One value fills the selection; two columns of which the first names features
 * go to these; anything else goes down from the focus, and what would fall beside the column is rejected.
 */
export const pasteInto = (source: string, { below, selected, all }: Places): Pasted => {
  const rows = readTsv(source);
  const fields = rows.map(([first = ""]) => first);
  const [only] = rows;
  if (rows.length === 1 && only?.length === 1 && selected.length > 1)
    return pairUp(
      selected,
      selected.map(() => only[0] ?? ""),
    );
  const named = byName(rows, all);
  if (named)
    return pairUp(
      named,
      rows.map(([, second = ""]) => second),
    );
  const beside = rows.reduce((sum, row) => sum + row.length - 1, 0);
  const down = pairUp(below, fields);
  return { ...down, rejected: down.rejected + beside };
};
