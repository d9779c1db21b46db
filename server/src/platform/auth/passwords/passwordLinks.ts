import { email } from "@purser/contract/fields/text";
import { z } from "zod";
import type { Db } from "#platform/db/db.ts";
import { type Job, job } from "#platform/jobs/queues.ts";
import type { Mailer } from "#platform/mail/mail.ts";
import { findSettings } from "#platform/settings.ts";
import { hashToken, newToken } from "../secrets.ts";

type Purpose = "invitation" | "reset" | "operator";

const validHours = { invitation: 72, reset: 1, operator: 72 } as const;

/** A link that sets a password once. It replaces an earlier link for the same purpose. */
export const createLink = async (
  db: Db,
  { userId, purpose, now }: { userId: string; purpose: Purpose; now: Date },
) => {
  const token = newToken();
  const expiresAt = new Date(now.getTime() + validHours[purpose] * 3_600_000);
  await db
    .with("replaced", (query) =>
      query.deleteFrom("links").where("userId", "=", userId).where("purpose", "=", purpose),
    )
    .insertInto("links")
    .values({ tokenHash: hashToken(token), purpose, userId, expiresAt })
    .execute();
  return token;
};

/** The token is in the fragment, which browsers do not send, so it reaches no log and no Referer header. */
export const addressOf = (origin: string, token: string) => `${origin}/login#set-password=${token}`;

const texts = {
  invitation: {
    subject: "You are invited to Purser",
    lead: "You have been invited to the back office. Choose a password within three days:",
  },
  reset: {
    subject: "Set a new password",
    lead: "Somebody, hopefully you, asked for a new password. Choose one within an hour:",
  },
} as const;

const textWithoutPasswords = (name: string, origin: string) =>
  `Hello ${name},\n\nYou have been invited to the back office. Sign in with your company account:\n\n${origin}/login\n\nIf you did not expect this mail, you can ignore it.\n`;

const findRecipient = (db: Db, address: string, purpose: Purpose) =>
  db
    .selectFrom("users")
    .select(["id", "email", "name"])
    .where("email", "=", address)
    .where("role", "is not", null)
    .where("status", "=", purpose === "invitation" ? "invited" : "active")
    .executeTakeFirst();

const payload = z.object({ email, purpose: z.enum(["invitation", "reset"]) });

/**
 * Sends a link by email. The token is created here, so that no queue stores one. The job of an unknown address
 * runs too, and does nothing.
 */
export const sendLinkJob = (mail: Mailer, origin: string): Job<typeof payload> =>
  job({
    name: "send-link",
    payload,
    // The link must be committed before the email is sent.
    inSteps: true,
    run: async ({ db, now }, { email: address, purpose }) => {
      const recipient = await findRecipient(db, address, purpose);
      if (!recipient) return;
      if (!(await findSettings(db)).passwordsAllowed) {
        const text = textWithoutPasswords(recipient.name, origin);
        if (purpose === "invitation")
          await mail.send({ to: recipient.email, subject: texts.invitation.subject, text });
        return;
      }
      const token = await createLink(db, { userId: recipient.id, purpose, now });
      const { subject, lead } = texts[purpose];
      await mail.send({
        to: recipient.email,
        subject,
        text: `Hello ${recipient.name},\n\n${lead}\n\n${addressOf(origin, token)}\n\nIf you did not expect this mail, you can ignore it.\n`,
      });
    },
  });

export const findLink = (db: Db, token: string, now: Date) =>
  db
    .selectFrom("links")
    .innerJoin("users", "users.id", "links.userId")
    .select(["links.purpose", "users.id", "users.email", "users.name"])
    .where("links.tokenHash", "=", hashToken(token))
    .where("links.expiresAt", ">", now)
    .where("users.status", "in", ["invited", "active"])
    .where("users.role", "is not", null)
    .executeTakeFirst();

/** Deletes the link and all other links of the user. */
export const takeLink = async (db: Db, token: string, now: Date) => {
  const taken = await db
    .deleteFrom("links")
    .where("tokenHash", "=", hashToken(token))
    .where("expiresAt", ">", now)
    .returning("userId")
    .executeTakeFirst();
  if (taken) await db.deleteFrom("links").where("userId", "=", taken.userId).execute();
  return taken?.userId ?? null;
};
