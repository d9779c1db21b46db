import { readFileSync } from "node:fs";
import { type I18n, setupI18n } from "@lingui/core";
import { formatter } from "@lingui/format-po";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { formatParameters, formatsOf } from "@purser/contract/messages/format";
import type { Message, Parameters, ParametersOf } from "@purser/contract/messages/message";
import { ruleOf } from "@purser/contract/messages/rules";

const english = setupI18n({ locale: "en-US", messages: { "en-US": {} } });
english.setMessagesCompiler(compileMessage);
const englishFormats = formatsOf("en-US");

/**
 * A sentence for users: a code that never changes its meaning, and the English text as an ICU message. The
 * catalogs in `messages/` have it in the other languages.
 */
export const message = <const Template extends string>(
  code: string,
  template: Template,
  ...[parameters]: ParametersOf<Template>
): Message => {
  const values: Parameters = parameters ?? {};
  const text = english._({
    id: code,
    message: template,
    values: formatParameters(values, englishFormats),
  });
  return { code, text, ...(parameters && { parameters: values }) };
};

/** The message of an invalid value, from the text that zod gives. */
export const ruleMessage = (text: string): Message =>
  ruleOf(text) ?? { code: "value_invalid", text };

const catalogs = new Map<string, I18n>();

const read = (language: string) => {
  const file = new URL(`../../../messages/${language}.po`, import.meta.url);
  const context = { locale: language, sourceLocale: "en", filename: file.pathname };
  const entries = formatter().parse(readFileSync(file, "utf8"), context);
  if (entries instanceof Promise) throw new Error("The catalog has to be read at once.");
  const messages = Object.entries(entries).flatMap(([id, { translation }]) =>
    translation ? [[id, translation]] : [],
  );
  const catalog = setupI18n({
    locale: language,
    messages: { [language]: Object.fromEntries(messages) },
  });
  return catalog.setMessagesCompiler(compileMessage);
};

const catalogOf = (language: string) => {
  const known = catalogs.get(language) ?? read(language);
  catalogs.set(language, known);
  return known;
};

/** The message in a language, for emails and documents. Without a translation it is English. */
export const translate = (
  { code, text, parameters = {} }: Message,
  { language, timeZone }: { language: string; timeZone?: string },
) => {
  if (language === "en-US") return text;
  const catalog = catalogOf(language);
  return catalog.messages[code]
    ? catalog._(code, formatParameters(parameters, formatsOf(language, timeZone)))
    : text;
};
