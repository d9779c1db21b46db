import { allows, type Permission, type Role } from "../auth/permissions.ts";
import { fieldsOf } from "../endpoints.ts";
import { type EntityName, entities, entityNames } from "../entities.ts";
import { revertColumnsOf } from "../fields/declarations.ts";

type Settable = { permission: Permission; fields: readonly string[] };

/**
 * Which fields of which records an audit entry can be set back in, by the permission to change them. Anything
 * else is refused, with what to do instead.
 */
export const settable = {
  ...(Object.fromEntries(
    entityNames.map((name) => [
      name,
      { permission: `${name}:write`, fields: revertColumnsOf(fieldsOf(entities[name].one)) },
    ]),
  ) as unknown as Record<EntityName, Settable & { permission: `${EntityName}:write` }>),
  package_versions: { permission: "packages:write", fields: ["trialDays"] },
  settings: {
    permission: "settings:write",
    fields: [
      ...["companyName", "timeZone", "currencies", "secondFactorRoles", "secondFactorGraceDays"],
      ...["passwordsAllowed", "signInGroups", "graceDays", "refundLimits", "approvalRules"],
      "approvalDays",
    ],
  },
  webhook_endpoints: { permission: "webhooks:write", fields: ["url", "description", "types"] },
} as const satisfies Record<string, Settable>;

const byEntity: Record<string, Settable | undefined> = settable;

/** Whose status goes back and forth by acts of its own. */
const withLife = new Set(["apps", "features", "packages"]);

type Change = { field: string; before?: unknown; after?: unknown };
type Happened = { entity: string; action: string; changes: readonly Change[] };

/** A draft that became active stays so; archiving and restoring go both ways. */
const isStep = ({ before, after }: Change) =>
  before !== "draft" && (before === "archived" || after === "archived");

/** Whether it is worth offering; what really holds is decided when somebody asks. */
export const canRevert = ({ entity, action, changes }: Happened, role: Role) => {
  const known = byEntity[entity];
  if (!known || !allows(role, known.permission)) return false;
  if (action === "insert") return withLife.has(entity) || entity === "promotions";
  if (action === "delete") return false;
  const isKnown = (change: Change) =>
    known.fields.includes(change.field) ||
    (change.field === "status" && withLife.has(entity) && isStep(change));
  return changes.some(isKnown) && changes.every((one) => isKnown(one) || one.field.endsWith("At"));
};
