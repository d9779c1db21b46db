import { t } from "@lingui/core/macro";
import { type HelpTopic, helpTopics } from "@purser/contract/pages/helpTopics";
import { pageAddress } from "#lib/page/runtime.ts";

const labels: Record<HelpTopic, string> = {
  start: t`Start in five minutes`,
  concepts: t`Concepts`,
  sale: t`Record a sale`,
  refund: t`Refund a payment`,
  dispute: t`Handle a dispute`,
  providerEvents: t`Match a provider event`,
  invoices: t`Invoices and credit notes`,
  reports: t`How figures of reports are defined`,
  accounting: t`Export for accounting`,
  app: t`Create an app`,
  feature: t`Create a feature`,
  package: t`Create a package`,
  publish: t`Publish a version`,
  promotion: t`Create a promotion`,
  codes: t`Generate codes in bulk`,
  catalogFile: t`Catalog as code`,
  noAccess: t`Find out why a customer can't use a feature`,
  grant: t`Grant access`,
  subscription: t`Change a subscription`,
  merge: t`Merge customers`,
  privacy: t`Answer a privacy request`,
  import: t`Import customers, subscriptions and transactions`,
  lists: t`Search, filters and views of lists`,
  approvals: t`What requires approval`,
  team: t`Invite a team member`,
  twoFactor: t`Require two-factor authentication`,
  singleSignOn: t`Single sign-on (SSO)`,
  history: t`Find out who changed something, and revert it`,
  apiKeys: t`Create an API key`,
  checks: t`Check a feature`,
  webhooks: t`Receive webhooks`,
  payments: t`Payment providers`,
  api: t`API reference`,
  problems: t`API problems`,
  permissions: t`Roles and permissions`,
  system: t`Monitor an installation`,
  backup: t`Back up and restore`,
  retention: t`What grows, and how long it is kept`,
  configuration: t`Environment variables`,
  commands: t`Command line`,
  glossary: t`Glossary`,
};

const names = Object.keys(labels) as HelpTopic[];

/** Pages of the documentation. They open in a new tab, so that nothing unsaved is left. */
export const helpOptions = () =>
  names.map((name) => ({
    id: `help:${name}`,
    group: t`Help`,
    label: labels[name],
    icon: "zoom-question",
    run: () => window.open(pageAddress(`/help/${helpTopics[name]}`), "_blank", "noreferrer"),
  }));
