import type { Message } from "@purser/contract/messages/message";
import { z } from "zod";
import { type Job, job } from "#platform/jobs/queues.ts";
import type { Mailer } from "#platform/mail/mail.ts";
import { findLocale, writeEmail } from "#platform/mail/writeEmail.ts";
import { message } from "#platform/messages.ts";
import { notify } from "#platform/notifications/notifications.ts";
import { expireWaiting, findLetter, findRequesterId } from "./queries.ts";

type Content = { subject: Message; lead: Message };

/** By the status of the request. Other statuses send no email. */
const contents: Record<string, (summary: string, approver: string) => Content> = {
  approved: (summary, approver) => ({
    subject: message("approval_email_approved_subject", "{summary} was approved", { summary }),
    lead: message(
      "approval_email_approved",
      "{approver} approved your request, and the action was carried out.",
      { approver },
    ),
  }),
  applied: (summary) => ({
    subject: message("approval_email_applied_subject", "{summary} took effect", { summary }),
    lead: message(
      "approval_email_applied",
      "The waiting period is over and no owner stopped the change, so it was carried out.",
    ),
  }),
  rejected: (summary, approver) => ({
    subject: message("approval_email_rejected_subject", "{summary} was rejected", { summary }),
    lead: message("approval_email_rejected", "{approver} rejected your request.", { approver }),
  }),
  expired: (summary) => ({
    subject: message("approval_email_expired_subject", "{summary} expired", { summary }),
    lead: message(
      "approval_email_expired",
      "Your request wasn't reviewed in time. Send a new one if it is still needed.",
    ),
  }),
  stale: (summary) => ({
    subject: message("approval_email_stale_subject", "{summary} is out of date", { summary }),
    lead: message(
      "approval_email_stale",
      "Your request couldn't be carried out because the data has changed. Send a new one if it is still needed.",
    ),
  }),
};

/** The answer is the approver's comment, or for a stale request the reason why it failed. */
const answerMessage = (status: string, answer: string) =>
  status === "stale"
    ? message("approval_email_reason", "Reason: {reason}", { reason: answer })
    : message("approval_email_comment", "Comment: {comment}", { comment: answer });

const payload = z.object({ id: z.uuid() });

/** Emails the result to the requester. */
export const tellRequesterJob = (mail: Mailer, origin: string): Job<typeof payload> =>
  job({
    name: "tell-requester",
    isPatient: true,
    payload,
    run: async ({ db }, { id }) => {
      const letter = await findLetter(db, id);
      const content =
        letter && contents[letter.status]?.(letter.summary, letter.decider ?? "Purser");
      if (!content) return;
      const { email, name, summary, status, answer } = letter;
      const { subject, lead } = content;
      const requesterId = await findRequesterId(db, id);
      // The summary may name a customer, so the notification has only the result.
      await notify(db, {
        to: [requesterId],
        kind: "approval",
        message: lead,
        path: `/approvals?preview=${id}`,
      });
      await mail.send({
        to: email,
        ...writeEmail(await findLocale(db, requesterId), {
          subject,
          paragraphs: [
            message("email_greeting", "Hi {name},", { name }),
            lead,
            summary,
            ...(answer === null ? [] : [answerMessage(status, answer)]),
            `${origin}/approvals?preview=${id}`,
          ],
        }),
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
