import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Db } from "#platform/db/db.ts";
import { inSavepoint } from "#platform/db/savepoint.ts";
import { type Job, job } from "#platform/jobs/queues.ts";
import type { Mailer } from "#platform/mail/mail.ts";
import { findLocale, writeEmail } from "#platform/mail/writeEmail.ts";
import { message } from "#platform/messages.ts";
import { carryOut, OutdatedRequest } from "./carryOut.ts";
import type { TellRequester } from "./jobs.ts";
import { endWaiting, findDue, findNotice, findOwners, lockDue, type Stored } from "./queries.ts";

const payload = z.object({ id: z.uuid() });

/** Emails every owner that a change takes effect after the waiting time, and where to stop it. */
export const tellOwnersJob = (mail: Mailer, origin: string): Job<typeof payload> =>
  job({
    name: "tell-owners",
    isPatient: true,
    payload,
    run: async ({ db }, { id }) => {
      const notice = await findNotice(db, id);
      if (!notice?.takesEffectAt) return;
      const { summary, facts, reason, requester, takesEffectAt } = notice;
      const date = { at: takesEffectAt.toISOString(), time: true };
      for (const { id: ownerId, email, name } of await findOwners(db))
        await mail.send({
          to: email,
          ...writeEmail(await findLocale(db, ownerId), {
            subject: message("waiting_change_subject", "{summary}: takes effect on {date}", {
              summary,
              date,
            }),
            paragraphs: [
              message("email_greeting", "Hi {name},", { name }),
              message(
                "waiting_change_lead",
                "{requester} requested a change that takes effect on {date}. Any owner can stop it until then.",
                { requester, date },
              ),
              summary,
              facts.map(({ label, value }) => `${label}: ${value}`).join("\n"),
              message("approval_email_reason", "Reason: {reason}", { reason }),
              `${origin}/approvals?preview=${id}`,
            ],
          }),
        });
    },
  });

export type TellOwners = ReturnType<typeof tellOwnersJob>;

/** What handlers read of a request. The call is made in the name of the requester. */
const requestOf = ({ requestedBy, requester }: Stored, now: Date) => {
  const { id, name } = requestedBy;
  const session = { userId: id, name, email: requester.email, role: requester.role };
  return { session, callingKey: null, now, headers: {} } as unknown as FastifyRequest;
};

const apply = async (
  db: Db,
  { id, now }: { id: string; now: Date },
  writes: FastifyInstance["writes"],
) => {
  const stored = await lockDue(db, id, now);
  if (!stored) return false;
  const request = requestOf(stored, now);
  const work = async () => {
    await endWaiting(db, id, "applied", { by: null, answer: null, now });
    await carryOut(writes, stored, { db, request, reply: {} as FastifyReply });
  };
  const outdated = await inSavepoint(db, work, OutdatedRequest);
  if (outdated) await endWaiting(db, id, "stale", { by: null, answer: outdated.reason.text, now });
  return true;
};

/** Carries out the changes whose waiting period is over, each in its own transaction. */
export const applyWaitingChanges = (writes: FastifyInstance["writes"], tell: TellRequester) =>
  job({
    name: "apply-waiting-changes",
    payload: z.object({}),
    every: "* * * * *",
    inSteps: true,
    run: async ({ db, now, step }) => {
      for (const id of await findDue(db, now))
        await step(async (within, enqueue) => {
          if (await apply(within, { id, now }, writes)) await enqueue(tell, { id });
        });
    },
  });
