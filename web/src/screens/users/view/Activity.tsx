import { t } from "@lingui/core/macro";
import { currentRole, roles } from "@purser/contract/auth/permissions";
import { unlimited, type Value } from "@purser/contract/fields/values";
import { getUserActivity } from "@purser/contract/users/endpoints";
import { userLabels, userStatuses } from "@purser/contract/users/fields";
import { call } from "#lib/api/call.ts";
import { featureValue } from "#lib/labels/featureValues.ts";
import { labelIn } from "#lib/labels/labelIn.ts";
import { grantSourceNames, subscriptionStatusNames } from "#lib/labels/subscriptions.ts";
import { formatExact } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { Activity, activityQueryOf, type Entry, historyLabels } from "#ui/record/Activity.tsx";
import { actorName } from "#ui/record/Actor.tsx";
import { addressText, countryOf, languageOf, roleLabels, statusLabels } from "../labels.ts";
import type { User } from "../queries.ts";

const statusOf = (value: unknown) => {
  const known = userStatuses.find((status) => status === value);
  return known ? statusLabels[known].word : String(value);
};

const roleOf = (value: unknown) => {
  const known = roles.find((role) => role === currentRole(value));
  return known ? roleLabels[known].label : String(value);
};

/** The value of a granted feature. The entry doesn't have its unit. */
const grantedValue = (value: unknown) => {
  const kind = value === unlimited ? ("limit" as const) : ("choice" as const);
  return featureValue({ kind, unit: null, reset: null, options: [] }, value as Value);
};

/** The columns of a user and of related records. IDs of other tables are not resolved. */
const columnLabels = (user: User, zone: string) => {
  const moment = (label: string) => ({
    label,
    show: (at: unknown) =>
      at === "infinity" ? t`No end date` : formatExact(zone, new Date(String(at))),
  });
  const known = (label: string) => ({ label, show: () => t`Set` });
  return historyLabels(userLabels, {
    role: { show: roleOf },
    status: {
      show: (value, { entity }) =>
        entity === "subscriptions" ? labelIn(subscriptionStatusNames)(value) : statusOf(value),
    },
    value: { label: t`Value`, show: grantedValue },
    source: { label: t`Source`, show: labelIn(grantSourceNames) },
    country: { show: (code) => countryOf(String(code)) },
    address: { show: (address) => addressText(address as User["address"]) },
    locale: { show: (code) => languageOf(String(code)) },
    text: { label: t`Note` },
    struckAt: moment(t`Crossed out`),
    startsAt: moment(t`From`),
    endsAt: moment(t`Until`),
    promisedUntil: moment(t`Originally until`),
    revokedAt: moment(t`Revoked`),
    periodStart: moment(t`Period start`),
    periodEnd: moment(t`Period end`),
    accessUntil: moment(t`Access until`),
    endedAt: moment(t`Ended`),
    pausedAt: moment(t`Paused`),
    quantity: { label: t`Quantity` },
    changeQuantity: { label: t`Next quantity` },
    billedBy: { label: t`Billed by` },
    userId: { label: t`User`, show: () => user.name },
    authorId: { label: t`Author`, show: (_, { actor }) => actorName(actor) },
    sourceId: { label: t`Granted by`, show: (_, { actor }) => actorName(actor) },
    packageId: known(t`Package`),
    versionId: known(t`Version`),
    priceId: known(t`Price`),
    featureId: known(t`Feature`),
  });
};

// Fields that repeat the entry's subject, or are internal.
const quiet = new Set([
  "userId",
  "authorId",
  "anchor",
  "periodNumber",
  "graceDays",
  "groupCode",
  "billingReference",
]);

/** Most things are bought once, so that isn't worth a line. */
const isOnce = ({ field, before, after }: Entry["changes"][number]) =>
  field === "quantity" && before === null && after === 1;

const told = (entry: Entry): Entry =>
  entry.entity === "users"
    ? entry
    : {
        ...entry,
        changes: entry.changes.filter(
          (change) =>
            !quiet.has(change.field) &&
            !/Id$/.test(change.field) &&
            change.after !== "infinity" &&
            !isOnce(change),
        ),
      };

const isSet = ({ changes }: Entry, name: string) =>
  changes.some(({ field, after }) => field === name && after !== null);

const ofPerson = ({ action, changes }: Entry) => {
  if (action === "insert") return t`User created`;
  const status = changes.find(({ field }) => field === "status");
  if (changes.some(({ field }) => field === "mergedInto")) return t`User merged into another user`;
  if (status?.after === "erased") return t`User erased`;
  if (status?.after === "suspended") return t`User suspended`;
  if (status?.before === "suspended") return t`User reactivated`;
  if (status?.before === "invited") return t`Signed in for the first time`;
  return changes.length === 1 && changes[0]?.field === "email" ? t`Email changed` : t`User changed`;
};

const titleOf = (entry: Entry) => {
  const { entity, action } = entry;
  if (entity === "user_notes") return action === "insert" ? t`Note added` : t`Note crossed out`;
  if (entity === "grants")
    return isSet(entry, "revokedAt") && action === "update" ? t`Access revoked` : t`Access granted`;
  if (entity === "subscriptions")
    return action === "insert" ? t`Subscription started` : t`Subscription changed`;
  return ofPerson(entry);
};

const activityQuery = (id: string) =>
  activityQueryOf("users", id, (query) => call(getUserActivity, { params: { id }, query }));

/** The history of a user, their access, subscriptions and notes. */
export const UserActivity = ({ user }: { user: User }) => {
  const zone = useTimeZone();
  return (
    <Activity
      query={activityQuery(user.id)}
      titleOf={titleOf}
      told={told}
      words={columnLabels(user, zone)}
    />
  );
};
