import type { Message } from "@purser/contract/messages/message";
import { findPreferences } from "../auth/preferences/preferences.ts";
import type { Db } from "../db/db.ts";
import { translate } from "../messages.ts";

export type Locale = { language: string; timeZone?: string };

/** The language and time zone of a team member. English without a preference. */
export const findLocale = async (db: Db, userId: string): Promise<Locale> => {
  const { language, timeZone } = await findPreferences(db, userId);
  return { language: language ?? "en-US", ...(timeZone && { timeZone }) };
};

type Content = {
  subject: Message;
  /** Strings are shown as they are, such as links and texts that users wrote. */
  paragraphs: readonly (Message | string)[];
};

/** The subject and text of an email in the recipient's language. */
export const writeEmail = (locale: Locale, { subject, paragraphs }: Content) => {
  const shown = (part: Message | string) =>
    typeof part === "string" ? part : translate(part, locale);
  return { subject: shown(subject), text: `${paragraphs.map(shown).join("\n\n")}\n` };
};
