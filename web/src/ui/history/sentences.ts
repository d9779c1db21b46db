import { plural, t } from "@lingui/core/macro";
import { money } from "#lib/intl.ts";
import type { Happened, Names } from "./action.ts";
import { exportedFiles, otherSentences } from "./otherSentences.ts";

/** A sentence with the actor and the record in the order of the language. */
type Say = (actor: string, record: string) => string;

type Events = Record<string, Say | undefined> & { update: Say };

export type Told = { say: Say; name: string; subject: { entity: string; id: string } | null };

const changeOf = ({ changes }: Happened, ...fields: string[]) =>
  changes.find(({ field }) => fields.includes(field));

/**
 * What happened to the record: `insert`, `delete`, the new status, a moment that was set (`revokedAt`) or cleared
 * (`no revokedAt`), or `update`.
 */
const eventOf = (entry: Happened, events: Events): string => {
  if (entry.action !== "update") return entry.action;
  const status = changeOf(entry, "status", "state");
  const wasOff = status?.before === "archived" || status?.before === "suspended";
  if (wasOff && status?.after === "active" && events["restored"]) return "restored";
  if (status?.before === "invited" && status.after === "active" && events["joined"])
    return "joined";
  if (status && events[String(status.after)]) return String(status.after);
  const moment = entry.changes.find(({ field, after }) =>
    after === null ? events[`no ${field}`] : events[field],
  );
  if (!moment) return "update";
  return moment.after === null ? `no ${moment.field}` : moment.field;
};

const apps: Events = {
  insert: (actor, record) => t`${actor} created app ${record}`,
  update: (actor, record) => t`${actor} changed app ${record}`,
  delete: (actor, record) => t`${actor} deleted app ${record}`,
  active: (actor, record) => t`${actor} activated app ${record}`,
  archived: (actor, record) => t`${actor} archived app ${record}`,
  restored: (actor, record) => t`${actor} restored app ${record}`,
  suspendedAt: (actor, record) => t`${actor} suspended app ${record}`,
  "no suspendedAt": (actor, record) => t`${actor} resumed app ${record}`,
};

const features: Events = {
  insert: (actor, record) => t`${actor} created feature ${record}`,
  update: (actor, record) => t`${actor} changed feature ${record}`,
  delete: (actor, record) => t`${actor} deleted feature ${record}`,
  active: (actor, record) => t`${actor} activated feature ${record}`,
  archived: (actor, record) => t`${actor} archived feature ${record}`,
  restored: (actor, record) => t`${actor} restored feature ${record}`,
};

const packages: Events = {
  insert: (actor, record) => t`${actor} created package ${record}`,
  update: (actor, record) => t`${actor} changed package ${record}`,
  delete: (actor, record) => t`${actor} deleted package ${record}`,
  active: (actor, record) => t`${actor} activated package ${record}`,
  archived: (actor, record) => t`${actor} archived package ${record}`,
  restored: (actor, record) => t`${actor} restored package ${record}`,
};

const editedDraft: Say = (actor, record) => t`${actor} edited the draft of ${record}`;
const draftParts: Events = { insert: editedDraft, update: editedDraft, delete: editedDraft };

const versions: Events = {
  insert: (actor, record) => t`${actor} started the draft of ${record}`,
  update: editedDraft,
  delete: (actor, record) => t`${actor} discarded the draft of ${record}`,
  draft: (actor, record) => t`${actor} unscheduled ${record}`,
  scheduled: (actor, record) => t`${actor} scheduled ${record}`,
  "on sale": (actor, record) => t`${actor} published ${record}`,
  superseded: (actor, record) => t`${actor} replaced ${record}`,
  retired: (actor, record) => t`${actor} took ${record} off sale`,
};

const imports: Events = {
  insert: (actor, record) => t`${actor} uploaded ${record} for import`,
  update: (actor, record) => t`${actor} changed the import of ${record}`,
  running: (actor, record) => t`${actor} started the import of ${record}`,
  paused: (actor, record) => t`${actor} paused the import of ${record}`,
  stopped: (actor, record) => t`${actor} stopped the import of ${record}`,
  canceled: (actor, record) => t`${actor} canceled the import of ${record}`,
  undoing: (actor, record) => t`${actor} started to undo the import of ${record}`,
  undone: (actor, record) => t`${actor} undid the import of ${record}`,
};

const changedPromotion: Say = (actor, record) => t`${actor} changed promotion ${record}`;
const promotionParts: Events = {
  insert: changedPromotion,
  update: changedPromotion,
  delete: changedPromotion,
};

const promotions: Events = {
  insert: (actor, record) => t`${actor} created promotion ${record}`,
  update: changedPromotion,
  delete: (actor, record) => t`${actor} deleted promotion ${record}`,
  publishedAt: (actor, record) => t`${actor} published promotion ${record}`,
  pausedAt: (actor, record) => t`${actor} paused promotion ${record}`,
  "no pausedAt": (actor, record) => t`${actor} resumed promotion ${record}`,
  archivedAt: (actor, record) => t`${actor} archived promotion ${record}`,
};

const customers: Events = {
  insert: (actor, record) => t`${actor} created customer ${record}`,
  update: (actor, record) => t`${actor} changed customer ${record}`,
  delete: (actor, record) => t`${actor} deleted customer ${record}`,
  suspended: (actor, record) => t`${actor} suspended customer ${record}`,
  erased: (actor) => t`${actor} erased the personal data of a customer`,
  restored: (actor, record) => t`${actor} reactivated customer ${record}`,
  mergedInto: (actor, record) => t`${actor} merged customer ${record} into another`,
};

const team: Events = {
  insert: (actor, record) => t`${actor} invited ${record}`,
  update: (actor, record) => t`${actor} changed team member ${record}`,
  delete: (actor, record) => t`${actor} removed team member ${record}`,
  joined: (_, record) => t`${record} signed in for the first time`,
  role: (actor, record) => t`${actor} changed the role of ${record}`,
  suspended: (actor, record) => t`${actor} suspended team member ${record}`,
  restored: (actor, record) => t`${actor} reactivated team member ${record}`,
};

const tables: Record<string, Events | undefined> = {
  ...otherSentences,
  apps,
  features,
  imports,
  packages,
  package_versions: versions,
  promotion_amounts: promotionParts,
  promotion_codes: {
    insert: (actor, record) => t`${actor} added codes to promotion ${record}`,
    update: (actor, record) => t`${actor} changed codes of promotion ${record}`,
    delete: (actor, record) => t`${actor} deleted codes of promotion ${record}`,
  },
  promotion_packages: promotionParts,
  promotion_people: promotionParts,
  promotions,
  version_apps: draftParts,
  version_prices: draftParts,
  version_values: draftParts,
};

const unknown: Events = {
  insert: (actor, record) => t`${actor} created ${record}`,
  update: (actor, record) => t`${actor} changed ${record}`,
  delete: (actor, record) => t`${actor} deleted ${record}`,
};

const textIn = (facts: Happened["facts"], name: string) => {
  const value = facts?.[name];
  return typeof value === "string" ? value : null;
};

const nameOf = (names: Names, id: string | null) => (id ? names[id]?.name : undefined);

const amountIn = ({ facts }: Happened, field: string) => {
  const currency = textIn(facts, "currency");
  const minor = facts?.[field];
  return currency && typeof minor === "number" ? money(Math.abs(minor), currency) : null;
};

const payments: Record<string, (amount: string) => Say> = {
  purchase: (amount) => (actor, record) => t`${actor} recorded payment of ${amount} from ${record}`,
  renewal: (amount) => (actor, record) => t`${actor} recorded renewal of ${amount} from ${record}`,
  change: (amount) => (actor, record) =>
    t`${actor} recorded a change of plan for ${amount} by ${record}`,
  refund: (amount) => (actor, record) => t`${actor} refunded ${amount} to ${record}`,
  chargeback: (amount) => (actor, record) =>
    t`${actor} recorded a chargeback of ${amount} by ${record}`,
  adjustment: (amount) => (actor, record) =>
    t`${actor} recorded an adjustment of ${amount} for ${record}`,
};

const settled: Record<string, ((amount: string) => Say) | undefined> = {
  succeeded: (amount) => (actor, record) => t`${actor} received ${amount} from ${record}`,
  failed: (amount) => (actor, record) =>
    t`${actor} recorded a failed payment of ${amount} from ${record}`,
  canceled: (amount) => (actor, record) =>
    t`${actor} canceled a payment of ${amount} from ${record}`,
  voided: (amount) => (actor, record) => t`${actor} voided a payment of ${amount} from ${record}`,
  disputed: (amount) => (actor, record) => t`${actor} recorded a dispute of ${amount} by ${record}`,
};

const sayTransaction = (entry: Happened): Say => {
  const total = amountIn(entry, "total") ?? entry.label;
  if (entry.action === "insert")
    return (payments[textIn(entry.facts, "kind") ?? ""] ?? payments["purchase"])?.(total) as Say;
  const state = String(changeOf(entry, "state")?.after);
  return (
    settled[state]?.(total) ?? ((actor, record) => t`${actor} changed a transaction of ${record}`)
  );
};

const sayBalance = (entry: Happened): Say => {
  const amount = amountIn(entry, "amount") ?? "";
  const isCredit = Number(entry.facts?.["amount"]) > 0;
  return isCredit
    ? (actor, record) => t`${actor} added ${amount} to the balance of ${record}`
    : (actor, record) => t`${actor} took ${amount} from the balance of ${record}`;
};

const sayGrant = (entry: Happened, names: Names): Say => {
  const what =
    nameOf(names, textIn(entry.facts, "packageId")) ??
    nameOf(names, textIn(entry.facts, "featureId")) ??
    t`access`;
  if (entry.action === "insert") return (actor, record) => t`${actor} granted ${what} to ${record}`;
  return changeOf(entry, "revokedAt")?.after
    ? (actor, record) => t`${actor} revoked ${what} of ${record}`
    : (actor, record) => t`${actor} changed access of ${record} to ${what}`;
};

const sayNote = (entry: Happened): Say =>
  entry.action === "insert"
    ? (actor, record) => t`${actor} added a note to ${record}`
    : (actor, record) => t`${actor} crossed out a note of ${record}`;

const sayComment = (entry: Happened): Say =>
  entry.action === "insert"
    ? (actor, record) => t`${actor} commented on ${record}`
    : (actor, record) => t`${actor} crossed out a comment on ${record}`;

/** A comment on a record that isn't a customer. */
const tellComment = (entry: Happened, names: Names, unnamed: string): Told | null => {
  const entity = textIn(entry.facts, "entity");
  const id = textIn(entry.facts, "recordId");
  if (entry.entity !== "user_notes" || !entity || !id) return null;
  return { say: sayComment(entry), name: nameOf(names, id) ?? unnamed, subject: { entity, id } };
};

const sayCorrection = (): Say => (actor, record) => t`${actor} corrected the usage of ${record}`;

const subscriptionStates: Record<string, ((what: string) => Say) | undefined> = {
  paused: (what) => (actor, record) => t`${actor} paused ${what} of ${record}`,
  "past due": (what) => (actor, record) => t`${actor} marked ${what} of ${record} as past due`,
  ending: (what) => (actor, record) => t`${actor} canceled ${what} of ${record}`,
  ended: (what) => (actor, record) => t`${actor} ended ${what} of ${record}`,
};

const saySubscription = (entry: Happened, names: Names): Say => {
  const what = nameOf(names, textIn(entry.facts, "packageId")) ?? t`a subscription`;
  if (entry.action === "insert")
    return (actor, record) => t`${actor} started ${what} for ${record}`;
  const state = String(changeOf(entry, "status")?.after);
  return (
    subscriptionStates[state]?.(what) ??
    ((actor, record) => t`${actor} changed ${what} of ${record}`)
  );
};

/** Tables whose sentences name the customer and not the row. */
const aboutCustomers: Record<string, ((entry: Happened, names: Names) => Say) | undefined> = {
  balance_entries: sayBalance,
  grants: sayGrant,
  subscriptions: saySubscription,
  transactions: sayTransaction,
  usage_corrections: sayCorrection,
  user_notes: sayNote,
};

const sayImported = (entry: Happened): Say => {
  const rows = Number(changeOf(entry, "imported")?.after ?? 0);
  return (actor, record) =>
    plural(rows, {
      one: `${actor} imported # row from ${record}`,
      other: `${actor} imported # rows from ${record}`,
    });
};

const eventsOf = (entry: Happened): Events => {
  const { entity, facts, changes } = entry;
  if (entity === "imports") return { ...imports, finished: sayImported(entry) };
  if (entity !== "users") return tables[entity] ?? unknown;
  const isMember = facts?.["role"] !== undefined || changes.some(({ field }) => field === "role");
  return isMember ? team : customers;
};

const sayReverted: Say = (actor, record) => t`${actor} reverted a change of ${record}`;

const isId = (text: string) => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text);

const packageOf = ({ entity, recordId, facts }: Happened, names: Names) => {
  const known = names[recordId];
  if (entity === "package_versions" || known?.entity === "package_versions")
    return textIn(facts, "packageId") ?? known?.parentId ?? null;
  return null;
};

const entityOf = ({ entity, recordId }: Happened, names: Names) =>
  names[recordId]?.entity ?? entity;

const labelOf = ({ entity, label }: Happened) =>
  (entity === "exports" ? exportedFiles[label] : undefined) ?? label;

/** The sentence about an action, and the record that it names. Never an ID. */
export const tell = (entry: Happened, names: Names, unnamed: string): Told => {
  const comment = tellComment(entry, names, unnamed);
  if (comment) return comment;
  const customerId = textIn(entry.facts, "userId");
  const ofCustomer = aboutCustomers[entry.entity];
  if (ofCustomer && customerId) {
    const name = nameOf(names, customerId) ?? t`a customer`;
    const say = ofCustomer(entry, names);
    return { say, name, subject: { entity: "users", id: customerId } };
  }
  const events = eventsOf(entry);
  const say = entry.reverts ? sayReverted : (events[eventOf(entry, events)] ?? events.update);
  const named = nameOf(names, entry.recordId) ?? labelOf(entry);
  const packageId = packageOf(entry, names);
  return {
    say,
    name: isId(named) || named === "" ? unnamed : named,
    subject:
      entry.action === "delete" && !packageId
        ? null
        : packageId
          ? { entity: "packages", id: packageId }
          : { entity: entityOf(entry, names), id: entry.recordId },
  };
};
