import { type EntityName, entities, entityNames } from "@purser/contract/entities";
import type { auditedEntities, auditFields } from "@purser/contract/workspace/audit";
import { count } from "#lib/labels.ts";
import type { FieldLabels } from "#ui/list/filters/filterLabels.ts";
import { type Entry, lifeDeedOf } from "#ui/record/Activity.tsx";
import { anyColleague, anyRecord } from "./queries.ts";

type Entity = (typeof auditedEntities)[number];

/** The labels of the entities in the log. */
const kinds = {
  ...(Object.fromEntries(entityNames.map((name) => [name, entities[name].one])) as Record<
    EntityName,
    string
  >),
  app_keys: "key",
  approvals: "request for approval",
  audit_redactions: "erasing from the log",
  authenticators: "authenticator",
  exports: "file",
  grants: "right",
  identities: "company sign-in",
  package_versions: "version of a package",
  passkeys: "passkey",
  personal_exports: "file of personal data",
  passwords: "password",
  promotion_amounts: "amounts of a promotion",
  promotion_codes: "codes of a promotion",
  promotion_packages: "packages of a promotion",
  promotion_people: "people of a promotion",
  rollouts: "rollout",
  settings: "settings",
  subscriptions: "subscription",
  user_notes: "note",
  users: "person",
  version_apps: "apps of a version",
  version_prices: "prices of a version",
  version_values: "values of a version",
  webhook_endpoints: "webhook endpoint",
} as const satisfies Record<Entity, string>;

const kindOf = (entity: string) => kinds[entity as Entity] ?? entity.replaceAll("_", " ");

const names: Record<string, string | undefined> = {
  refunded: "refunded amount",
  basisPoints: "percentage",
  groupCode: "group",
  unitOne: "unit",
  isLocked: "lock",
};

const isId = (text: string) => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text);

/** Records without a name are shown by the end of their ID. */
export const labelOf = ({ label }: Entry) => (isId(label) ? `…${label.slice(-6)}` : label);

/** A column's name as words, such as "supportEmail". */
export const fieldWordsOf = (field: string) =>
  names[field] ??
  (isId(field)
    ? `…${field.slice(-6)}`
    : field
        .replace(/([A-Z])/g, " $1")
        .toLowerCase()
        .replace("email", "mail"));

const special: Partial<Record<Entity, Partial<Record<Entry["action"], string>>>> = {
  exports: { insert: "took away" },
  audit_redactions: { insert: "erased a person from the log" },
  approvals: { insert: "asked for approval" },
};

const lives = new Set(["status"]);

/** "changed the price of a package", "archived the app". */
export const deedOf = (entry: Entry) => {
  const { entity, action, changes } = entry;
  const own = special[entity as Entity]?.[action];
  if (own) return own;
  const what = `the ${kindOf(entity)}`;
  if (action !== "update" || changes.some(({ field }) => lives.has(field)))
    return lifeDeedOf(entry, what);
  const fields = changes.map(({ field }) => fieldWordsOf(field));
  if (fields.length === 1) return `changed the ${fields[0]} of ${what}`;
  if (fields.length === 2) return `changed ${fields.join(" and ")} of ${what}`;
  return `changed ${count(fields.length, "field")} of ${what}`;
};

/** The record's page; null if it was deleted or has none. */
export const placeOf = ({ entity, action, recordId, appId }: Entry) => {
  if (entity === "app_keys") return appId && `/apps/view/${appId}`;
  if (entity === "settings") return "/settings";
  if (entity === "webhook_endpoints") return "/webhook";
  if (action === "delete") return null;
  if (entity === "approvals") return `/approvals?preview=${recordId}`;
  const name = entityNames.find((one) => one === entity && one !== "users");
  return name ? entities[name].page.replace("$id", recordId) : null;
};

export const fieldWords: FieldLabels<typeof auditFields> = {
  at: { label: "When" },
  actor: { label: "Who", relation: anyColleague },
  actorKind: {
    label: "Kind of actor",
    options: {
      user: "A person",
      key: "An app key",
      system: "Purser itself",
      database: "Somebody at the database",
    },
  },
  entity: { label: "What", options: kinds },
  action: {
    label: "Action",
    options: { insert: "Created", update: "Changed", delete: "Deleted" },
  },
  record: { label: "Record", relation: anyRecord },
  request: { label: "Request" },
  reason: { label: "Reason" },
};
