import { roles } from "../auth/permissions.ts";

/** The topics of the history. Transactions and users belong to a topic only with one of these values. */
export const topics = {
  prices: {
    entities: [
      "version_prices",
      "package_versions",
      "promotions",
      "promotion_amounts",
      "tax_rates",
    ],
  },
  refunds: {
    entities: ["balance_entries", "transactions"],
    only: {
      entity: "transactions",
      column: "kind",
      values: ["refund", "chargeback", "adjustment"],
    },
  },
  access: { entities: ["grants"] },
  team: {
    entities: [
      ...["settings", "users", "passwords", "authenticators", "passkeys", "identities"],
      ...["app_keys", "service_accounts", "service_keys", "signing_keys"],
      ...["webhook_endpoints", "approvals", "audit_retention"],
    ],
    only: { entity: "users", column: "role", values: roles },
  },
} as const satisfies Record<
  string,
  {
    entities: readonly string[];
    only?: { entity: string; column: string; values: readonly string[] };
  }
>;
export type Topic = keyof typeof topics;
