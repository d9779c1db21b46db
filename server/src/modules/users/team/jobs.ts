import { z } from "zod";
import { type Job, job } from "#platform/jobs/queues.ts";
import type { Mailer } from "#platform/mail/mail.ts";
import { findLocale, writeEmail } from "#platform/mail/writeEmail.ts";
import { message } from "#platform/messages.ts";
import { findTeamMember } from "./queries.ts";

const payload = z.object({ id: z.uuid(), by: z.string() });

/** Emails a team member whose two-factor authentication was reset, because it may not have been their wish. */
export const tellTwoFactorResetJob = (mail: Mailer, url: string): Job<typeof payload> =>
  job({
    name: "tell-two-factor-reset",
    isPatient: true,
    payload,
    run: async ({ db }, { id, by }) => {
      const member = await findTeamMember(db, id);
      if (!member) return;
      const { email, name } = member;
      await mail.send({
        to: email,
        ...writeEmail(await findLocale(db, id), {
          subject: message("two_factor_reset_subject", "Your two-factor authentication was reset"),
          paragraphs: [
            message("email_greeting", "Hi {name},", { name }),
            message(
              "two_factor_reset_email",
              "{actor} removed your passkeys, authenticator app and recovery codes, and ended your sessions. Sign in to set up two-factor authentication again.",
              { actor: by },
            ),
            message(
              "two_factor_reset_advice",
              "If you didn't request this, contact an owner immediately.",
            ),
            url,
          ],
        }),
      });
    },
  });

export type TellTwoFactorReset = ReturnType<typeof tellTwoFactorResetJob>;
