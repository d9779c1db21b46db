import { t } from "@lingui/core/macro";

/** The sections of the settings by their ID in the URL, with other words that find them. */
export const settingsSections = {
  company: { label: t`Company`, words: t`company name, time zone, currencies` },
  subscriptions: { label: t`Subscriptions`, words: t`grace period, missed renewal` },
  tax: { label: t`Tax`, words: t`prices include tax, VAT, sales tax` },
  documents: {
    label: t`Documents`,
    words: t`invoices, credit notes, seller, legal name, address, VAT number, bank account, payment terms`,
  },
  accounts: { label: t`Accounts`, words: t`account codes, accounting, bookkeeping, export` },
  "sign-in": {
    label: t`Sign-in`,
    words: t`two-factor authentication, 2FA, passwords, single sign-on, SSO, groups`,
  },
  approvals: {
    label: t`Approvals`,
    words: t`refund limits, grant limits, approval rules, waiting period`,
  },
  retention: {
    label: t`Data retention`,
    words: t`delete old data, sign-in log, notifications, exports, imports, webhooks, archive`,
  },
  "encryption-keys": { label: t`Encryption keys`, words: t`secrets, rotate keys` },
  "service-accounts": {
    label: t`Service accounts`,
    words: t`API, backend, keys, rotate key`,
  },
  "tax-rates": { label: t`Tax rates`, words: t`VAT, country, add tax rate` },
} satisfies Record<string, { label: string; words: string }>;

export type SettingsSection = keyof typeof settingsSections;
