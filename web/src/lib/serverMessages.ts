import { messages } from "virtual:server-messages";
import { type Formats, formatParameters } from "@purser/contract/messages/format";
import type { Message } from "@purser/contract/messages/message";
import { format } from "./i18n.ts";
import { list, money } from "./intl.ts";
import { formatDate, formatDateTime, shownTimeZone } from "./time/dates.ts";

const formats: Formats = {
  money,
  date: (at) => formatDate(shownTimeZone(), at),
  dateTime: (at) => formatDateTime(shownTimeZone(), at),
  list,
};

/** A sentence of the server in the user's language, or in English if this release doesn't know it. */
export const messageText = ({ code, text, parameters = {} }: Message) => {
  const known = messages[code];
  return known ? format(known, formatParameters(parameters, formats)) : text;
};
