import * as approvals from "./approvals.ts";
import * as apps from "./apps.ts";
import * as audit from "./audit.ts";
import * as catalogue from "./catalogue.ts";
import * as companySignIn from "./companySignIn.ts";
import * as people from "./customerMerge.ts";
import * as devices from "./devices.ts";
import * as drafts from "./drafts.ts";
import type { Endpoint } from "./endpoint.ts";
import * as events from "./events.ts";
import * as explanation from "./explanation.ts";
import * as features from "./features.ts";
import type { FieldDeclarations } from "./fields.ts";
import * as icons from "./icons.ts";
import * as incidents from "./incidents.ts";
import * as jobs from "./jobs.ts";
import * as matrix from "./matrix.ts";
import * as packages from "./packages.ts";
import * as preferences from "./preferences.ts";
import * as pricing from "./pricing.ts";
import * as privacy from "./privacy.ts";
import * as promotionCodes from "./promotionCodes.ts";
import * as promotionFields from "./promotionFields.ts";
import * as promotions from "./promotions.ts";
import * as providers from "./providers.ts";
import * as publishing from "./publishing.ts";
import * as replays from "./replays.ts";
import * as rights from "./rights.ts";
import * as session from "./session.ts";
import * as settings from "./settings.ts";
import * as staff from "./staff.ts";
import * as subscriptions from "./subscriptions.ts";
import * as transactionActs from "./transactionActions.ts";
import * as transactions from "./transactions.ts";
import * as users from "./users.ts";
import * as waiting from "./waiting.ts";
import * as webhooks from "./webhooks.ts";

export const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === "object" && value !== null && "method" in value && "permission" in value;

const exported: Record<string, unknown> = {
  ...session,
  ...companySignIn,
  ...devices,
  ...preferences,
  ...drafts,
  ...apps,
  ...features,
  ...packages,
  ...matrix,
  ...publishing,
  ...catalogue,
  ...rights,
  ...explanation,
  ...people,
  ...promotionFields,
  ...promotions,
  ...promotionCodes,
  ...replays,
  ...pricing,
  ...transactions,
  ...transactionActs,
  ...subscriptions,
  ...providers,
  ...waiting,
  ...webhooks,
  ...audit,
  ...users,
  ...approvals,
  ...staff,
  ...settings,
  ...privacy,
  ...jobs,
  ...events,
  ...icons,
  ...incidents,
};

/** The endpoint table: every call there is, by its name. */
export const endpoints: Readonly<Record<string, Endpoint>> = Object.fromEntries(
  Object.entries(exported).filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1])),
);

/** The declared fields of an entity, by what one of it is called. */
export const fieldsOf = (one: string): FieldDeclarations => {
  const found = Object.entries(exported).find(([name]) => name === `${one}Fields`)?.[1];
  if (!found) throw new Error(`No module in endpoints.ts exports ${one}Fields.`);
  return found as FieldDeclarations;
};
