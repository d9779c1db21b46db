import "virtual:messages/server";
import "virtual:messages/contract";
import { type Formats, formatParameters } from "@purser/contract/messages/format";
import type { Message } from "@purser/contract/messages/message";
import { ruleOf } from "@purser/contract/messages/rules";
import { i18n, store } from "./i18n.ts";
import { list, money } from "./intl.ts";
import { formatDate, formatDateTime, shownTimeZone } from "./time/dates.ts";

const formats: Formats = {
  money,
  date: (at) => formatDate(shownTimeZone(), at),
  dateTime: (at) => formatDateTime(shownTimeZone(), at),
  list,
};

/** A sentence of the server in the user's language, or in English if this release doesn't know it. */
export const messageText = ({ code, text, parameters = {} }: Message) =>
  store[code] ? i18n._(code, formatParameters(parameters, formats)) : text;

/** The text for an invalid value, as zod gives it, in the user's language. */
export const validationText = (text: string) => {
  const known = ruleOf(text);
  return known ? messageText(known) : text;
};

/** A label or help text of a field declaration in the user's language. */
export const fieldText = (english: string) => {
  const id = `label:${english}`;
  return store[id] ? i18n._(id) : english;
};
