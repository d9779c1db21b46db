import { t } from "@lingui/core/macro";
import { currentRole } from "@purser/contract/auth/permissions";
import { currentDuration } from "@purser/contract/promotions/fields";
import type { Activity } from "@purser/contract/workspace/audit";
import { amount, list, nameOf, number, percentOfBasisPoints } from "#lib/intl.ts";
import { approvalKinds, approvalRules, approvalStatusNames } from "#lib/labels/approvals.ts";
import { keyKindNames, keyScopeNames, platformNames } from "#lib/labels/apps.ts";
import {
  combiningNames,
  enforcementNames,
  fallbackNames,
  featureKindNames,
  resetNames,
} from "#lib/labels/features.ts";
import { importKindNames, importStatusNames } from "#lib/labels/imports.ts";
import { lifecycleStatusNames } from "#lib/labels/lifecycle.ts";
import {
  packageKindNames,
  rolloutModeNames,
  rolloutStatusNames,
  visibilityNames,
} from "#lib/labels/packages.ts";
import { permissionNames } from "#lib/labels/permissions.ts";
import {
  audienceNames,
  durationNames,
  intervalNames,
  levelNames,
  promotionKindNames,
} from "#lib/labels/promotions.ts";
import { roleNames } from "#lib/labels/roles.ts";
import { grantSourceNames, subscriptionStatusNames } from "#lib/labels/subscriptions.ts";
import { userStatusNames } from "#lib/labels/users.ts";
import { versionStates } from "#lib/labels/versionStates.ts";
import { webhookTypeNames } from "#lib/labels/webhooks.ts";
import { formatExact } from "#lib/time/dates.ts";
import { stateLabels, kindLabels as transactionKinds } from "#ui/money/transactionLabels.ts";
import { entityLabels } from "#ui/record/auditEntities.ts";
import { formatAuditValue, isEmptyValue } from "#ui/record/auditValue.ts";
import { columnName } from "#ui/record/columnNames.ts";

/** An entry, and what else is known about its record. */
type Valued = Pick<Activity, "entity" | "changes"> & { facts?: Record<string, unknown> };

type Named = string | { word: string };
type Values = Record<string, Named | undefined>;

const endpointStatuses: Values = {
  active: t`Active`,
  disabled: t`Disabled`,
  deleted: t`Deleted`,
};

const stackings: Values = {
  exclusive: t`Can't be combined`,
  stackable: t`Can be combined`,
};

const accessChoices: Values = {
  keep: t`Keep access`,
  "end now": t`End access now`,
  "end with period": t`End access with the period`,
};

/** Columns whose values mean the same in every table. */
const everywhere: Record<string, Values | undefined> = {
  access: accessChoices,
  approvalRules,
  audience: audienceNames,
  combining: combiningNames,
  duration: durationNames,
  enforcement: enforcementNames,
  entity: entityLabels,
  fallback: fallbackNames,
  interval: intervalNames,
  intervals: intervalNames,
  level: levelNames,
  mode: rolloutModeNames,
  permission: permissionNames,
  permissions: permissionNames,
  provider: { manual: t`Manual` },
  platforms: platformNames,
  reset: resetNames,
  role: roleNames,
  rule: approvalKinds,
  scopes: keyScopeNames,
  secondFactorRoles: roleNames,
  source: grantSourceNames,
  stacking: stackings,
  types: webhookTypeNames,
  visibility: visibilityNames,
};

const byEntity: Record<string, Record<string, Values | undefined> | undefined> = {
  app_keys: { kind: keyKindNames },
  approvals: { status: approvalStatusNames },
  apps: { status: lifecycleStatusNames },
  features: { kind: featureKindNames, status: lifecycleStatusNames },
  imports: { kind: importKindNames, status: importStatusNames },
  package_versions: { state: versionStates },
  packages: { kind: packageKindNames, status: lifecycleStatusNames },
  promotions: { kind: promotionKindNames },
  rollouts: { status: rolloutStatusNames },
  subscriptions: { status: subscriptionStatusNames },
  transactions: { kind: transactionKinds, state: stateLabels },
  users: { status: userStatusNames },
  webhook_endpoints: { status: endpointStatuses },
};

/** Values of before 0.5.0. */
const currentName = (value: string) => {
  if (value === "staff") return "manual";
  return String(currentDuration(currentRole(value))).replace(/^staff:/, "team:");
};

const labelAmong = (values: Values | undefined, value: string) => {
  const named = values?.[currentName(value)];
  return typeof named === "object" ? named.word : named;
};

const amounts = new Set(["amount", "budget", "cap", "discount", "given", "minimum", "off"]);
for (const column of ["refunded", "subtotal", "tax", "total"]) amounts.add(column);

const isMoment = (value: string) => /^\d{4}-\d\d-\d\dT\d\d:/.test(value);

const currencyOf = ({ changes, facts }: Valued) => {
  const change = changes.find(({ field }) => field === "currency");
  const currency = change?.after ?? change?.before ?? facts?.["currency"];
  return typeof currency === "string" ? currency : null;
};

const numberLabel = (entry: Valued, field: string, value: number) => {
  if (field === "basisPoints") return percentOfBasisPoints(value);
  const currency = amounts.has(field) && currencyOf(entry);
  return currency ? amount(value, currency) : number(value);
};

const textLabel = (field: string, value: string, zone: string) => {
  if (value === "infinity") return t`No end`;
  if (isMoment(value)) return formatExact(zone, new Date(value));
  if (field === "country") return nameOf("region", value);
  return field === "locale" ? nameOf("language", value) : value;
};

const isFilled = (value: unknown): boolean =>
  typeof value === "object" && value !== null
    ? Object.values(value).some(isFilled)
    : !isEmptyValue(value);

type Label = (field: string, value: unknown) => string;

/** What an object has: "Name: Northquay, City: Tallinn", or its only value. Options are known by their name. */
const objectLabel = (value: object, labelOf: Label) => {
  if ("code" in value && "name" in value) return String(value.name);
  const filled = Object.entries(value).filter(([, one]) => isFilled(one));
  const [only] = filled;
  if (!only) return formatAuditValue(null);
  const isNamed = filled.length > 1 || only[0] in roleNames;
  if (!isNamed) return labelOf(...only);
  return filled
    .map(
      ([field, one]) =>
        `${field in roleNames ? labelOf("role", field) : columnName(field)}: ${labelOf(field, one)}`,
    )
    .join(", ");
};

/** A stored value in words. Old entries keep values that have another name today. */
export const valueLabel = (entry: Valued, field: string, zone: string) => {
  const values = byEntity[entry.entity]?.[field] ?? everywhere[field];
  const one = (value: unknown): string => {
    if (typeof value === "boolean") return value ? t`Yes` : t`No`;
    if (typeof value === "number") return numberLabel(entry, field, value);
    if (typeof value === "object" && value !== null)
      return objectLabel(value, (name, part) => valueLabel(entry, name, zone)(part));
    if (typeof value !== "string" || value === "") return formatAuditValue(value);
    return labelAmong(values, value) ?? textLabel(field, value, zone);
  };
  return (value: unknown) =>
    Array.isArray(value) && value.length > 0 ? list(value.map(one)) : one(value);
};
