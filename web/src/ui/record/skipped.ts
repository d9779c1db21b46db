import { plural, t } from "@lingui/core/macro";
import type { Message } from "@purser/contract/messages/message";
import { loadChunk } from "#lib/page/chunks.ts";

export type Skipped = { name: string; detail: Message | string };

/** Loaded only here: lists don't need the messages of the server otherwise. */
const textOf = async (detail: Message | string) => {
  if (typeof detail === "string") return detail;
  const { messageText } = await loadChunk(() => import("#lib/serverMessages.ts"));
  return messageText(detail);
};

/** The toast of a bulk action: how many succeeded, and why the first of the others was skipped. */
export const withSkipped = async (done: string, [first, ...more]: readonly Skipped[]) => {
  if (!first) return done;
  const { name } = first;
  const detail = await textOf(first.detail);
  const skipped = name
    ? plural(more.length, {
        0: `Skipped ${name}. ${detail}`,
        one: `Skipped ${name} and # more. ${detail}`,
        other: `Skipped ${name} and # more. ${detail}`,
      })
    : plural(more.length + 1, { one: `Skipped #. ${detail}`, other: `Skipped #. ${detail}` });
  return t`${done}. ${skipped}`;
};
