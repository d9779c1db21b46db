/** Which record a column of an audited table refers to. */
export const referenceColumns: Record<string, string | undefined> = {
  account_id: "users",
  app_id: "apps",
  assignee_id: "users",
  author_id: "users",
  change_version_id: "package_versions",
  created_by: "users",
  decided_by: "users",
  feature_id: "features",
  given_by: "users",
  merged_into: "users",
  next_version_id: "package_versions",
  package_id: "packages",
  parent_id: "transactions",
  promotion_id: "promotions",
  published_by: "users",
  requested_by: "users",
  snoozed_by: "users",
  transaction_id: "transactions",
  user_id: "users",
  version_id: "package_versions",
};

type Parts = { record: string; key?: string };

/** Tables whose entries have the id of another record, and a field for each of its parts. */
export const partTables: Record<string, Parts | undefined> = {
  promotion_amounts: { record: "promotions" },
  promotion_codes: { record: "promotions" },
  promotion_packages: { record: "promotions", key: "packages" },
  promotion_people: { record: "promotions", key: "users" },
  version_apps: { record: "package_versions", key: "apps" },
  version_prices: { record: "package_versions" },
  version_values: { record: "package_versions", key: "features" },
};

/** Columns that identify a record in a sentence. */
export const factColumns = [
  ...["app_id", "feature_id", "package_id", "parent_id", "promotion_id", "user_id", "version_id"],
  ...["amount", "currency", "kind", "list", "number", "role", "summary", "total"],
  // The record that a comment is about.
  ...["entity", "record_id"],
];

/** The entries that say most about an action are those of the first of these tables. */
export const telling = [
  "imports",
  "approvals",
  "transactions",
  "packages",
  "package_versions",
  "promotions",
  "apps",
  "features",
  "subscriptions",
  "grants",
  "users",
  "balance_entries",
  "version_prices",
  "version_values",
  "version_apps",
  "promotion_amounts",
  "promotion_codes",
  "promotion_packages",
  "promotion_people",
  "settings",
  "tax_rates",
  "webhook_endpoints",
  "app_keys",
  "service_accounts",
  "service_keys",
  "signing_keys",
  "usage_corrections",
  "user_notes",
  "rollouts",
  "attention_marks",
  "identities",
  "passkeys",
  "authenticators",
  "passwords",
] as const;

const places = new Map<string, number>(telling.map((entity, place) => [entity, place]));

/** Lower is more telling. */
export const tellingPlace = (entity: string) => places.get(entity) ?? telling.length;
