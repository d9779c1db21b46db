import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";

/** A secret in the format of Standard Webhooks. */
export const newWebhookSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

/** What the secrets of an endpoint are sealed for. */
export const ownerOf = (endpointId: string) => ({ purpose: "webhook", id: endpointId });

type Signed = { id: string; at: Date; body: string };

/** The headers that prove the sender, signed with every secret that is still valid. */
export const signedHeaders = ({ id, at, body }: Signed, secrets: string[]) => ({
  "webhook-id": id,
  "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
  "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" "),
});
