import { z } from "zod";
import { type Job, job } from "#platform/jobs/queues.ts";
import type { Mailer } from "#platform/mail/mail.ts";
import { expireWaiting, findLetter } from "./queries.ts";

const sentences = {
  approved: "was approved and is done",
  rejected: "was rejected",
  expired: "was answered by nobody in time, so it was not done",
  stale: "could not be done: what it rests on had changed. Ask again if it is still wanted",
} as const;

const isTold = (status: string): status is keyof typeof sentences =>
  Object.hasOwn(sentences, status);

const payload = z.object({ id: z.uuid() });

/** Emails the result to the requester. */
export const tellRequesterJob = (mail: Mailer, office: string): Job<typeof payload> =>
  job({
    name: "tell-requester",
    payload,
    run: async ({ db }, { id }) => {
      const letter = await findLetter(db, id);
      if (!letter || !isTold(letter.status)) return;
      const { email, name, summary, status, answer, decider } = letter;
      const said = answer ? `\n\n${decider ?? "Purser"} says: ${answer}` : "";
      await mail.send({
        to: email,
        subject: `${summary}: ${status}`,
        text: `Hello ${name},\n\nWhat you asked for, "${summary}", ${sentences[status]}${
          decider && status !== "stale" ? ` (${decider})` : ""
        }.${said}\n\n${office}/approvals?preview=${id}\n`,
      });
    },
  });

export type TellRequester = ReturnType<typeof tellRequesterJob>;

/** Marks unanswered requests as expired. They can't be approved after their time even before this runs. */
export const expireApprovals = (tell: TellRequester) =>
  job({
    name: "expire-approvals",
    payload: z.object({}),
    every: "*/5 * * * *",
    run: async ({ db, now, enqueue }) => {
      for (const id of await expireWaiting(db, now)) await enqueue(tell, { id });
    },
  });
