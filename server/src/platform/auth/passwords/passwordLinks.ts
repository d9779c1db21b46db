import type { Role } from "@purser/contract/auth/permissions";
import { email, plain } from "@purser/contract/fields/text";
import type { Message } from "@purser/contract/messages/message";
import { z } from "zod";
import type { Db } from "#platform/db/db.ts";
import { type Job, job } from "#platform/jobs/queues.ts";
import type { Mailer } from "#platform/mail/mail.ts";
import { findLocale, writeEmail } from "#platform/mail/writeEmail.ts";
import { message, translate } from "#platform/messages.ts";
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

const roleNames: Record<Role, Message> = {
  owner: message("role_owner", "Owner"),
  admin: message("role_admin", "Admin"),
  catalog: message("role_catalog", "Catalog"),
  finance: message("role_finance", "Finance"),
  support: message("role_support", "Support"),
  viewer: message("role_viewer", "Viewer"),
};

type Invitation = { inviter: string; company: string; role: string };

const invitationOf = (given: Invitation) => ({
  subject: message("invitation_subject", "{inviter} invited you to {company}", {
    inviter: given.inviter,
    company: given.company,
  }),
  lead: message(
    "invitation_lead",
    "{inviter} invited you to join {company} on Purser. Your role is {role}. Set a password within 3 days:",
    given,
  ),
  ssoLead: message(
    "invitation_sso_lead",
    "{inviter} invited you to join {company} on Purser. Your role is {role}. Sign in with your company account:",
    given,
  ),
});

const reset = {
  subject: message("password_reset_subject", "Reset your password"),
  lead: message(
    "password_reset_lead",
    "We received a request to reset your password. Set a new one within 1 hour:",
  ),
  ssoLead: null,
};

const ignorable = message(
  "email_ignorable",
  "If you weren't expecting this email, you can ignore it.",
);

const greeting = (name: string) => message("email_greeting", "Hi {name},", { name });

const findRecipient = (db: Db, address: string, purpose: Purpose) =>
  db
    .selectFrom("users")
    .select(["id", "email", "name", "role"])
    .where("email", "=", address)
    .where("role", "is not", null)
    .where("isService", "=", false)
    .where("status", "=", purpose === "invitation" ? "invited" : "active")
    .executeTakeFirst();

const payload = z.object({
  email,
  purpose: z.enum(["invitation", "reset"]),
  /** The name of the team member who invited. */
  by: plain.optional(),
});

/**
 * Sends a link by email. The token is created here, so that no queue stores one. The job of an unknown address
 * runs too, and does nothing.
 */
export const sendLinkJob = (
  mail: Mailer,
  origin: string,
  environment: { COMPANY_NAME: string },
): Job<typeof payload> =>
  job({
    name: "send-link",
    isPatient: true,
    payload,
    // The link must be committed before the email is sent.
    inSteps: true,
    run: async ({ db, now }, { email: address, purpose, by }) => {
      const recipient = await findRecipient(db, address, purpose);
      if (!recipient?.role) return;
      const locale = await findLocale(db, recipient.id);
      const { passwordsAllowed, companyName } = await findSettings(db);
      const company = companyName ?? environment.COMPANY_NAME;
      const role = translate(roleNames[recipient.role], locale);
      const { subject, lead, ssoLead } =
        purpose === "reset" ? reset : invitationOf({ inviter: by ?? company, company, role });
      const send = (introduction: Message, link: string) =>
        mail.send({
          to: recipient.email,
          ...writeEmail(locale, {
            subject,
            paragraphs: [greeting(recipient.name), introduction, link, ignorable],
          }),
        });
      if (passwordsAllowed) {
        const token = await createLink(db, { userId: recipient.id, purpose, now });
        await send(lead, addressOf(origin, token));
      } else if (ssoLead) await send(ssoLead, `${origin}/login`);
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
