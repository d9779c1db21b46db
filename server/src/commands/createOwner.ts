import { email as emailText, text } from "@purser/contract/fields/text";
import { transact } from "../platform/audit/context.ts";
import { addressOf, createLink } from "../platform/auth/passwords/passwordLinks.ts";
import { deleteFactors } from "../platform/auth/twoFactor/reset.ts";
import { workspaceUrl } from "../platform/http/publicUrls.ts";
import { type Command, connectTo, UsageError } from "./command.ts";

const context = {
  actor: { kind: "system", id: null, name: "create-owner" },
  address: null,
  requestId: null,
  reason: "Created by the operator",
} as const;

/** Creates the first owner, or restores access when every owner has lost their credentials. */
export const createOwner: Command = async (config, options) => {
  const email = emailText.safeParse(options.email);
  const name = text({ min: 1, max: 120 }).safeParse(options.name);
  if (!email.success) throw new UsageError(`--email: ${email.error.issues[0]?.message}`);
  if (!name.success) throw new UsageError(`--name: ${name.error.issues[0]?.message}`);
  const { db } = connectTo(config, "purser create-owner");
  try {
    const { result: token } = await transact(db, context, async (transaction) => {
      const stored = await transaction
        .insertInto("users")
        .values({ email: email.data, name: name.data, role: "owner", status: "invited" })
        .onConflict((conflict) =>
          conflict.column("email").doUpdateSet(({ case: either, ref }) => ({
            role: "owner",
            // A suspended user is reactivated. Any other status is kept.
            status: either()
              .when("users.status", "=", "suspended")
              .then("active" as const)
              .else(ref("users.status"))
              .end(),
          })),
        )
        .returning("id")
        .executeTakeFirstOrThrow();
      // Otherwise an owner with a lost phone could set a password and still not sign in.
      await deleteFactors(transaction, stored.id);
      return createLink(transaction, { userId: stored.id, purpose: "operator", now: new Date() });
    });
    options.print(
      `Open this link within 3 days to set the password for ${email.data}:\n${addressOf(workspaceUrl(config), token)}\n`,
    );
  } finally {
    await db.destroy();
  }
};
