import { t } from "@lingui/core/macro";
import type { RefusedCall } from "#lib/api/call.ts";

type Body = Record<string, unknown>;

const named = (body: Body) => String(body["name"] ?? "");
const urlIn = (body: Body) => String(body["url"] ?? "");

const exportOf = (list: string) => [`POST /${list}/exports`, () => t`Export the list`] as const;
const lists = ["apps", "features", "packages", "promotions", "transactions", "users"];

/** What continues after the confirmation, by method and path. */
const actions: Record<string, ((body: Body) => string) | undefined> = {
  "GET /session/confirmation": () => t`Download the file`,
  "POST /apps/:id/keys": (body) => t`Create the API key “${{ name: named(body) }}”`,
  "POST /apps/:id/keys/:keyId/revoke": () => t`Revoke the API key`,
  "PUT /apps/:id/keys/:keyId/origins": () => t`Change the origins of the API key`,
  "POST /approvals/:id/approve": () => t`Approve the request`,
  "POST /approvals/:id/reject": () => t`Reject the request`,
  "POST /passkeys/start": () => t`Add a passkey`,
  "POST /passkeys": (body) => t`Add the passkey “${{ name: named(body) }}”`,
  "DELETE /passkeys/:id": () => t`Remove the passkey`,
  "POST /service-accounts": (body) => t`Create the service account “${{ name: named(body) }}”`,
  "PUT /service-accounts/:id": (body) => t`Change the service account “${{ name: named(body) }}”`,
  "POST /service-accounts/:id/restore": () => t`Reactivate the service account`,
  "POST /service-accounts/:id/keys": (body) => t`Create the key “${{ name: named(body) }}”`,
  "POST /service-accounts/:id/keys/:keyId/rotate": () => t`Rotate the key`,
  "PUT /settings": () => t`Save the settings`,
  "POST /tax-rates": () => t`Create the tax rate`,
  "PUT /tax-rates/:id": () => t`Change the tax rate`,
  "DELETE /tax-rates/:id": () => t`Delete the tax rate`,
  "POST /team": (body) => t`Invite ${{ name: named(body) }}`,
  "POST /team/:id/invite": () => t`Send the invitation again`,
  "PUT /team/:id": (body) => t`Change the role of ${{ name: named(body) }}`,
  "POST /team/:id/suspend": () => t`Suspend the team member`,
  "POST /team/:id/restore": () => t`Reactivate the team member`,
  "POST /team/:id/remove": () => t`Remove the team member`,
  "POST /team/:id/two-factor/reset": () => t`Reset two-factor authentication`,
  "POST /transactions/:id/dispute": () => t`Record the dispute`,
  "POST /transactions/:id/refund": () => t`Refund the transaction`,
  "POST /two-factor/start": () => t`Set up an authenticator app`,
  "POST /two-factor/confirm": () => t`Turn on two-factor authentication`,
  "POST /two-factor/remove": () => t`Turn off two-factor authentication`,
  "POST /users/:id/balance": () => t`Change the customer's balance`,
  "POST /imports/:id/start": () => t`Import customers`,
  "POST /imports/:id/undo": () => t`Undo import`,
  "POST /users/:id/erase": () => t`Erase the customer's personal data`,
  "POST /users/:id/exports": () => t`Export the customer's data`,
  "POST /webhook-endpoints": (body) => t`Create the webhook endpoint ${{ url: urlIn(body) }}`,
  "PUT /webhook-endpoints/:id": (body) => t`Change the webhook endpoint ${{ url: urlIn(body) }}`,
  "POST /webhook-endpoints/:id/rotate-secret": () => t`Rotate the secret of the webhook endpoint`,
  "POST /webhook-endpoints/:id/disable": () => t`Disable the webhook endpoint`,
  "POST /webhook-endpoints/:id/enable": () => t`Enable the webhook endpoint`,
  "DELETE /webhook-endpoints/:id": () => t`Delete the webhook endpoint`,
  ...Object.fromEntries(lists.map(exportOf)),
};

/** The name of the refused call for the user. */
export const confirmedAction = ({ operation, body, action }: RefusedCall) =>
  action ?? actions[operation]?.((body ?? {}) as Body) ?? null;
