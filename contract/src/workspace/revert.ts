import { allows, type Holder, type Permission, type Role } from "../auth/permissions.ts";
import { fieldsOf } from "../endpoints.ts";
import { type EntityName, entities, entityNames } from "../entities.ts";
import { revertColumnsOf } from "../fields/declarations.ts";

type Settable = { permission: Permission; fields: readonly string[] };

/**
 * The fields that can be reverted, with the permission that this requires. Other reverts are refused with an
 * alternative.
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
      ...["approvalDays", "refundDailyLimits", "refundCustomerLimits", "grantLimits"],
      "waitingHours",
    ],
  },
  webhook_endpoints: { permission: "webhooks:write", fields: ["url", "description", "types"] },
} as const satisfies Record<string, Settable>;

const byEntity: Record<string, Settable | undefined> = settable;

/** Entities that are archived and restored by actions. */
const withLife = new Set(["apps", "features", "packages"]);

type Change = { field: string; before?: unknown; after?: unknown };
type Happened = { entity: string; action: string; changes: readonly Change[] };

/** Archiving and restoring can be reverted, but not the first activation. */
const isStep = ({ before, after }: Change) =>
  before !== "draft" && (before === "archived" || after === "archived");

/** Whether to offer a revert. The server decides again when it is requested. */
export const canRevert = ({ entity, action, changes }: Happened, holder: Role | Holder) => {
  const known = byEntity[entity];
  if (!known || !allows(holder, known.permission)) return false;
  if (action === "insert") return withLife.has(entity) || entity === "promotions";
  if (action === "delete") return false;
  const isKnown = (change: Change) =>
    known.fields.includes(change.field) ||
    (change.field === "status" && withLife.has(entity) && isStep(change));
  return changes.some(isKnown) && changes.every((one) => isKnown(one) || one.field.endsWith("At"));
};

type Published = { entity: string; versionId: string };

/** Publishing prices can be reverted with a draft. */
export const canRevertPrices = (
  { entity, recordId }: { entity: string; recordId: string },
  published: readonly Published[],
  holder: Role | Holder,
) =>
  entity === "package_versions" &&
  allows(holder, settable.package_versions.permission) &&
  published.some((one) => one.entity === "version_prices" && one.versionId === recordId);
