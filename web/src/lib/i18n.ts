import { messages } from "virtual:messages";
import { language } from "./messages.ts";

// Shows compiled messages. The library's own runtime does the same and more in three times the size, and
// every page loads it.

type Token = string | readonly [name: string, type?: string, options?: unknown];
export type CompiledMessage = readonly Token[];
type Cases = Record<string, CompiledMessage | undefined>;
export type Values = Record<string, unknown>;

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

export const format = (message: CompiledMessage, values: Values): string =>
  message.map((token) => (typeof token === "string" ? token : partOf(token, values))).join("");

/** A build has the message itself in place of its id. */
export type MessageId = string | CompiledMessage;
type Descriptor = { id: MessageId; message?: string; values?: Values };

const find = ({ id, message }: Descriptor): CompiledMessage =>
  // Tests have no catalogs for what was just written, so they read the source text.
  typeof id === "string" ? (messages[id] ?? [message ?? id]) : id;

/** What the macros call. */
export const i18n = {
  _: (given: Descriptor) => format(find(given), given.values ?? {}),
};
