import { language } from "./messages.ts";

// Shows compiled messages. The library's own runtime does the same and more in three times the size, and
// every page loads it.

type Token = string | readonly [name: string, type?: string, options?: unknown];
export type CompiledMessage = readonly Token[];
type Cases = Record<string, CompiledMessage | undefined>;
export type Values = Record<string, unknown>;

/** The messages loaded so far. */
export const store: Record<string, CompiledMessage | undefined> = {};

const rules = new Intl.PluralRules(language);
const ordinals = new Intl.PluralRules(language, { type: "ordinal" });
const numbers = new Intl.NumberFormat(language);

const pluralOf = (type: string, value: number, cases: Cases) => {
  const exact = cases[String(value)];
  const amount = value - (Number(cases["offset"]) || 0);
  const rule = (type === "plural" ? rules : ordinals).select(amount);
  const chosen = exact ?? cases[rule] ?? cases["other"] ?? [];
  return chosen.map((token) => (token === "#" ? numbers.format(amount) : token));
};

const partOf = ([name, type, options]: Exclude<Token, string>, values: Values): string => {
  const value = values[name];
  if (type === undefined) return String(value ?? "");
  const cases = options as Cases;
  if (type === "select") return format(cases[String(value)] ?? cases["other"] ?? [], values);
  if (type === "number") return numbers.format(Number(value));
  return format(pluralOf(type, Number(value), cases), values);
};

const format = (message: CompiledMessage, values: Values): string =>
  message.map((token) => (typeof token === "string" ? token : partOf(token, values))).join("");

type Descriptor = { id: string; message?: string | CompiledMessage; values?: Values };

/** Tests have no catalogs for what was just written, so they read the source text. */
const uncompiled = (text: string | undefined, id: string): CompiledMessage => [text ?? id];

const find = ({ id, message }: Descriptor): CompiledMessage => {
  const known = store[id];
  if (known) return known;
  return typeof message === "object" ? message : uncompiled(message, id);
};

/** What the macros call. */
export const i18n = {
  _: (given: string | Descriptor, values?: Values) => {
    const descriptor = typeof given === "string" ? { id: given } : given;
    return format(find(descriptor), values ?? descriptor.values ?? {});
  },
};

type Loaded = Record<string, CompiledMessage | string> | (CompiledMessage | string | null)[];

const compiledOf = (message: CompiledMessage | string) =>
  typeof message === "string" ? [message] : message;

/**
 * Adds loaded messages: by their codes, or as a list whose names are given. A build gives one prefix for all,
 * which is followed by the place in the list.
 */
export const addMessages = (loaded: Loaded, names: readonly string[] | null) => {
  if (!Array.isArray(loaded)) {
    for (const [code, message] of Object.entries(loaded)) store[code] = compiledOf(message);
    return;
  }
  const [prefix] = names ?? [];
  for (const [place, message] of loaded.entries()) {
    const name = names?.length === 1 ? `${prefix}${place.toString(36)}` : names?.[place];
    if (name && message) store[name] = compiledOf(message);
  }
};
