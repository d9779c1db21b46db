import * as apps from "./apps/endpoints.ts";
import * as appFields from "./apps/fields.ts";
import * as appKeys from "./apps/keys.ts";
import * as activeSessions from "./auth/activeSessions.ts";
import * as confirmation from "./auth/confirmation.ts";
import * as passkeys from "./auth/passkeys.ts";
import * as passwords from "./auth/passwords.ts";
import * as session from "./auth/session.ts";
import * as signIn from "./auth/signIn.ts";
import * as sso from "./auth/sso.ts";
import * as twoFactor from "./auth/twoFactor.ts";
import * as catalog from "./catalog/catalog.ts";
import * as documents from "./documents/endpoints.ts";
import * as entitlementChanges from "./entitlements/changes.ts";
import * as customerTokens from "./entitlements/customerTokens.ts";
import * as explanation from "./entitlements/explanation.ts";
import * as grants from "./entitlements/grants.ts";
import * as snapshots from "./entitlements/snapshots.ts";
import * as features from "./features/endpoints.ts";
import * as featureFields from "./features/fields.ts";
import type { FieldDeclarations } from "./fields/declarations.ts";
import type { Endpoint } from "./http/endpoint.ts";
import * as integration from "./integration/endpoints.ts";
import * as balance from "./money/balance.ts";
import * as taxRates from "./money/taxRates.ts";
import * as packages from "./packages/endpoints.ts";
import * as packageFields from "./packages/fields.ts";
import * as matrix from "./packages/matrix.ts";
import * as publishing from "./packages/publishing.ts";
import * as packageVersions from "./packages/versions.ts";
import * as incidents from "./pages/incidents.ts";
import * as promotionCodes from "./promotions/codes.ts";
import * as promotions from "./promotions/endpoints.ts";
import * as promotionFields from "./promotions/fields.ts";
import * as pricing from "./promotions/pricing.ts";
import * as simulations from "./promotions/simulations.ts";
import * as attention from "./reports/attention.ts";
import * as reports from "./reports/endpoints.ts";
import * as home from "./reports/home.ts";
import * as recurring from "./reports/recurring.ts";
import * as reportRows from "./reports/rows.ts";
import * as savedReports from "./reports/saved.ts";
import * as subscriptions from "./subscriptions/endpoints.ts";
import * as testMode from "./testMode/endpoints.ts";
import * as transactionActions from "./transactions/actions.ts";
import * as transactionCounts from "./transactions/counts.ts";
import * as transactions from "./transactions/endpoints.ts";
import * as transactionFields from "./transactions/fields.ts";
import * as providerEvents from "./transactions/providerEvents.ts";
import * as providers from "./transactions/providers.ts";
import * as sales from "./transactions/sales.ts";
import * as usage from "./usage/endpoints.ts";
import * as featureUsage from "./usage/featureUsage.ts";
import * as appCustomers from "./users/appCustomers.ts";
import * as users from "./users/endpoints.ts";
import * as userFields from "./users/fields.ts";
import * as merge from "./users/merge.ts";
import * as userNotes from "./users/notes.ts";
import * as privacy from "./users/privacy.ts";
import * as serviceAccounts from "./users/serviceAccounts.ts";
import * as userSummary from "./users/summary.ts";
import * as team from "./users/team.ts";
import * as approvals from "./workspace/approvals.ts";
import * as audit from "./workspace/audit.ts";
import * as comments from "./workspace/comments.ts";
import * as history from "./workspace/history.ts";
import * as icons from "./workspace/icons.ts";
import * as importActions from "./workspace/importActions.ts";
import * as importMappings from "./workspace/importMappings.ts";
import * as imports from "./workspace/imports.ts";
import * as jobs from "./workspace/jobs.ts";
import * as listJobs from "./workspace/listJobs.ts";
import * as liveChanges from "./workspace/liveChanges.ts";
import * as notifications from "./workspace/notifications.ts";
import * as preferences from "./workspace/preferences.ts";
import * as settings from "./workspace/settings.ts";
import * as sharedViews from "./workspace/sharedViews.ts";
import * as system from "./workspace/system.ts";
import * as unread from "./workspace/unread.ts";
import * as unsavedChanges from "./workspace/unsavedChanges.ts";
import * as webhooks from "./workspace/webhooks.ts";

export const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === "object" && value !== null && "method" in value && "permission" in value;

const exported: Record<string, unknown> = {
  ...session,
  ...signIn,
  ...passwords,
  ...twoFactor,
  ...passkeys,
  ...confirmation,
  ...sso,
  ...activeSessions,
  ...preferences,
  ...notifications,
  ...unread,
  ...system,
  ...comments,
  ...unsavedChanges,
  ...apps,
  ...appFields,
  ...appKeys,
  ...features,
  ...featureFields,
  ...packages,
  ...packageFields,
  ...packageVersions,
  ...matrix,
  ...publishing,
  ...catalog,
  ...grants,
  ...customerTokens,
  ...entitlementChanges,
  ...snapshots,
  ...explanation,
  ...usage,
  ...featureUsage,
  ...integration,
  ...merge,
  ...promotionFields,
  ...promotions,
  ...promotionCodes,
  ...simulations,
  ...pricing,
  ...transactions,
  ...transactionFields,
  ...sales,
  ...transactionActions,
  ...subscriptions,
  ...providerEvents,
  ...providers,
  ...balance,
  ...taxRates,
  ...documents,
  ...transactionCounts,
  ...reports,
  ...attention,
  ...home,
  ...recurring,
  ...reportRows,
  ...savedReports,
  ...webhooks,
  ...audit,
  ...history,
  ...users,
  ...userFields,
  ...userNotes,
  ...appCustomers,
  ...userSummary,
  ...approvals,
  ...team,
  ...serviceAccounts,
  ...settings,
  ...sharedViews,
  ...privacy,
  ...jobs,
  ...listJobs,
  ...importMappings,
  ...imports,
  ...importActions,
  ...liveChanges,
  ...icons,
  ...incidents,
  ...testMode,
};

/** Every endpoint by name, which is also its operationId. */
export const endpoints: Readonly<Record<string, Endpoint>> = Object.fromEntries(
  Object.entries(exported).filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1])),
);

/** The declared fields of an entity, by its singular name. */
export const fieldsOf = (one: string): FieldDeclarations => {
  const found = Object.entries(exported).find(([name]) => name === `${one}Fields`)?.[1];
  if (!found) throw new Error(`No module in endpoints.ts exports ${one}Fields.`);
  return found as FieldDeclarations;
};
