import { plural, t } from "@lingui/core/macro";
import type { Message } from "@purser/contract/messages/message";
import { messageText } from "#lib/serverMessages.ts";

export type Skipped = { name: string; detail: Message | string };

/** The toast of a bulk action: how many succeeded, and why the first of the others was skipped. */
export const withSkipped = (done: string, [first, ...more]: readonly Skipped[]) => {
  if (!first) return done;
  const { name } = first;
  const detail = typeof first.detail === "string" ? first.detail : messageText(first.detail);
  const skipped = name
    ? plural(more.length, {
        0: `Skipped ${name}. ${detail}`,
        one: `Skipped ${name} and # more. ${detail}`,
        other: `Skipped ${name} and # more. ${detail}`,
      })
    : plural(more.length + 1, { one: `Skipped #. ${detail}`, other: `Skipped #. ${detail}` });
  return t`${done}. ${skipped}`;
};
