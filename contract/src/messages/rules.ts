import type { Message, Parameters, ParametersOf } from "./message.ts";

let language = "en-US";
/** For browsers, whose users read the texts as they are. */
export const formatRulesIn = (chosen: string) => {
  language = chosen;
};

const known = new Map<string, Message>();

/**
 * The text for an invalid value, as zod's error. Zod keeps only the text, so `ruleOf` finds the code again. The
 * template has simple placeholders only, because forms use it without a message parser.
 */
export const rule = <const Template extends string>(
  code: string,
  template: Template,
  ...[parameters]: ParametersOf<Template>
): string => {
  const values: Parameters = parameters ?? {};
  const text = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (typeof value === "number") return value.toLocaleString(language);
    return Array.isArray(value) ? value.join(", ") : String(value);
  });
  known.set(text, { code, text, ...(parameters && { parameters: values }) });
  return text;
};

/** The message of a text made by `rule`. */
export const ruleOf = (text: string): Message | undefined => known.get(text);
