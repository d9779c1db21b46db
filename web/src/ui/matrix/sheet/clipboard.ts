import { t } from "@lingui/core/macro";
import {
  cellOf,
  readValue,
  refusalOfValue,
  unlimited,
  type Value,
} from "@purser/contract/fields/values";
import { unlimitedLabel } from "#lib/labels/featureValues.ts";
import { type Content, isInvalid, type MatrixApp, type MatrixFeature } from "./cells.ts";

const quoted = (text: string) =>
  /["\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** Rows as tab-separated text. */
export const writeTsv = (rows: readonly (readonly string[])[]) =>
  rows.map((row) => row.map(quoted).join("\t")).join("\n");

/** Reads a quoted field; returns its text and end. */
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

/** Parses clipboard text, with or without a trailing line break. */
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

/** A cell as text for the clipboard and the editor. Empty means the default. */
export const clipboardText = (content: Content) => {
  if (content === null) return "";
  return isInvalid(content) ? content.typed : cellOf(content);
};

/** Values by their names in the user's language. */
const keywords: Record<string, string | undefined> = {
  [t`On`.toLowerCase()]: cellOf(true),
  [t`Off`.toLowerCase()]: cellOf(false),
  [unlimitedLabel.toLowerCase()]: cellOf(unlimited),
};

/** Parses text typed into a cell. */
export const parseContent = (feature: MatrixFeature, source: string): Content => {
  const typed = source.trim();
  if (typed === "") return null;
  const value = readValue(feature, keywords[typed.toLowerCase()] ?? typed);
  if (value !== undefined) return value;
  const refusal = refusalOfValue(feature, typed);
  return { typed, why: refusal === null ? t`Enter a valid value.` : refusal };
};

type Target = { app: MatrixApp; feature: MatrixFeature };
export type Pasted = { set: [feature: string, content: Value | null][]; rejected: number };

/** Assigns each field to its target. Fields without a target and invalid values are rejected. */
const pairUp = (targets: readonly (Target | undefined)[], fields: readonly string[]): Pasted => {
  const pasted: Pasted = { set: [], rejected: 0 };
  for (const [place, field] of fields.entries()) {
    const target = targets[place];
    const content = target ? parseContent(target.feature, field) : undefined;
    if (!target || content === undefined || isInvalid(content)) pasted.rejected += 1;
    else pasted.set.push([target.feature.id, content]);
  }
  return pasted;
};

/** One value for many cells. Cells it is invalid for keep theirs. */
export const fillWith = (content: Content, targets: readonly Pick<Target, "feature">[]): Pasted => {
  if (isInvalid(content)) return { set: [], rejected: targets.length };
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

/** Whether the first column names features. */
const byName = (rows: readonly string[][], all: readonly Target[]) => {
  if (rows.some((row) => row.length !== 2)) return null;
  const targets = rows.map(([name = ""]) => {
    const wanted = name.trim().toLowerCase();
    return all.find((target) => namesOf(target).includes(wanted));
  });
  return targets.some(Boolean) ? targets : null;
};

type Places = {
  /** The cells from the focused one downwards. */
  below: readonly Target[];
  /** The selected cells, if there are several. */
  selected: readonly Target[];
  all: readonly Target[];
};

/**
 * The changes of a pasted text. A single value fills the selection, two columns are matched by
 * feature name, and anything else goes down from the focus.
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
