import { z } from "zod";
import { id, instant, nothing, record } from "../fields/primitives.ts";
import { plain, text } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { assertion, ceremony, ticket } from "./credentials.ts";

const passkeyName = text({ min: 1, max: 60 });

const passkey = z
  .object({ id, name: plain, createdAt: instant, lastUsedAt: instant.nullable() })
  .meta({ id: "Passkey" });

export const listPasskeys = endpoint({
  method: "GET",
  path: "/passkeys",
  summary: "List your passkeys",
  permission: "signed in",
  beforeTwoFactor: true,
  reply: z.object({ items: z.array(passkey) }),
});

export const startPasskey = endpoint({
  method: "POST",
  path: "/passkeys/start",
  summary: "Start adding a passkey",
  permission: "signed in",
  proof: "recent",
  beforeTwoFactor: true,
  keyed: false,
  body: nothing,
  reply: z.object({ challenge: plain, options: ceremony }),
});

export const addPasskey = endpoint({
  method: "POST",
  path: "/passkeys",
  summary: "Add a passkey",
  permission: "signed in",
  proof: "recent",
  beforeTwoFactor: true,
  keyed: false,
  body: z.strictObject({ challenge: ticket, name: passkeyName, response: assertion }),
  reply: passkey,
  status: 201,
  refusals: ["passkey_refused", "taken"],
});

export const renamePasskey = endpoint({
  method: "PUT",
  path: "/passkeys/:id",
  summary: "Rename a passkey",
  permission: "signed in",
  params: record,
  body: z.strictObject({ name: passkeyName }),
  reply: passkey,
});

export const removePasskey = endpoint({
  method: "DELETE",
  path: "/passkeys/:id",
  summary: "Remove a passkey",
  permission: "signed in",
  proof: "recent",
  params: record,
  refusals: ["two_factor_required"],
});
