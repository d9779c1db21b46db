import { roles } from "@purser/contract/auth/permissions";
import { getUserActivity } from "@purser/contract/users/endpoints";
import { userLabels, userStatuses } from "@purser/contract/users/fields";
import { call } from "#lib/api/call.ts";
import { formatExact } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import {
  Activity,
  activityQueryOf,
  type Entry,
  History,
  historyLabels,
} from "#ui/record/Activity.tsx";
import { actorName } from "#ui/record/Actor.tsx";
import { countryOf, languageOf, roleLabels, statusLabels } from "../labels.ts";
import type { User } from "../queries.ts";

const statusOf = (value: unknown) => {
  const known = userStatuses.find((status) => status === value);
  return known ? statusLabels[known].word : String(value);
};

const roleOf = (value: unknown) => {
  const known = roles.find((role) => role === value);
  return known ? roleLabels[known].label : String(value);
};

/** The columns of a user and of related records. IDs of other tables are not resolved. */
const columnLabels = (user: User, zone: string) => {
  const moment = (label: string) => ({
    label,
    show: (at: unknown) => (at === "infinity" ? "no end" : formatExact(zone, new Date(String(at)))),
  });
  const known = (label: string) => ({ label, show: () => "known to the office" });
  return historyLabels(userLabels, {
    role: { show: roleOf },
    status: { show: statusOf },
    country: { show: (code) => countryOf(String(code)) },
    locale: { show: (code) => languageOf(String(code)) },
    text: { label: "Note" },
    struckAt: moment("Struck"),
    startsAt: moment("From"),
    endsAt: moment("Until"),
    promisedUntil: moment("Promised until"),
    revokedAt: moment("Revoked"),
    periodStart: moment("Period from"),
    periodEnd: moment("Period until"),
    accessUntil: moment("Access until"),
    endedAt: moment("Ended"),
    pausedAt: moment("Paused"),
    userId: { label: "User", show: () => user.name },
    authorId: { label: "Author", show: (_, { actor }) => actorName(actor) },
    sourceId: { label: "Given by", show: (_, { actor }) => actorName(actor) },
    packageId: known("Package"),
    versionId: known("Version"),
    priceId: known("Price"),
    featureId: known("Feature"),
  });
};

// Fields that repeat the entry's subject, or are internal.
const quiet = new Set(["userId", "authorId", "anchor", "periodNumber", "graceDays", "groupCode"]);

const told = (entry: Entry): Entry =>
  entry.entity === "users"
    ? entry
    : {
        ...entry,
        changes: entry.changes.filter(
          ({ field, after }) => !quiet.has(field) && !/Id$/.test(field) && after !== "infinity",
        ),
      };

const isSet = ({ changes }: Entry, name: string) =>
  changes.some(({ field, after }) => field === name && after !== null);

const ofPerson = ({ action, changes }: Entry) => {
  if (action === "insert") return "created the user";
  const status = changes.find(({ field }) => field === "status");
  if (changes.some(({ field }) => field === "mergedInto"))
    return "merged the user into another record";
  if (status?.after === "erased") return "erased the user";
  if (status?.after === "suspended") return "suspended the user";
  if (status?.before === "suspended") return "restored the user";
  return changes.length === 1 && changes[0]?.field === "email"
    ? "changed the e-mail"
    : "changed the user";
};

const deedOf = (entry: Entry) => {
  const { entity, action } = entry;
  if (entity === "user_notes") return action === "insert" ? "wrote a note" : "struck a note";
  if (entity === "grants")
    return isSet(entry, "revokedAt") && action === "update" ? "revoked access" : "gave access";
  if (entity === "subscriptions")
    return action === "insert" ? "began a subscription" : "changed a subscription";
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
      deedOf={deedOf}
      told={told}
      words={columnLabels(user, zone)}
    />
  );
};

/** The latest entries, for the user's page. */
export const UserHistory = ({ user }: { user: User }) => {
  const zone = useTimeZone();
  return (
    <History
      query={activityQuery(user.id)}
      deedOf={deedOf}
      told={told}
      words={columnLabels(user, zone)}
    />
  );
};
