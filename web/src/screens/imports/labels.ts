import { plural, t } from "@lingui/core/macro";
import type { ImportField } from "@purser/contract/workspace/imports";
import type { StatusWord } from "#ui/Status.tsx";
import type { Import } from "./queries.ts";

const fieldNames: Record<ImportField, string> = {
  externalId: t`External ID`,
  email: t`Email`,
  name: t`Name`,
  company: t`Company`,
  addressLine1: t`Address line 1`,
  addressLine2: t`Address line 2`,
  postalCode: t`Postal code`,
  city: t`City`,
  region: t`Region`,
  country: t`Country`,
  vatNumber: t`VAT number`,
  locale: t`Language`,
  timeZone: t`Time zone`,
  createdAt: t`Customer since`,
  reference: t`Reference`,
  provider: t`Provider`,
  customerId: t`Customer's external ID`,
  package: t`Package`,
  interval: t`Billing interval`,
  currency: t`Currency`,
  price: t`Price`,
  quantity: t`Quantity`,
  startedAt: t`Started`,
  periodStart: t`Period start`,
  periodEnd: t`Period end`,
  status: t`Status`,
  cancelsAtPeriodEnd: t`Cancels at period end`,
  endedAt: t`Ended`,
  date: t`Date`,
  amount: t`Amount`,
  tax: t`Tax`,
  taxRate: t`Tax rate`,
  refundedAmount: t`Refunded amount`,
  refundedAt: t`Refunded`,
  description: t`Description`,
  subscription: t`Subscription`,
  code: t`Code`,
  promotion: t`Promotion`,
  redemptionLimit: t`Redemption limit`,
};

export const fieldName = (field: string) => fieldNames[field as ImportField] ?? field;

export const statusLabels: Record<Import["status"], StatusWord> = {
  uploading: { word: t`Uploading`, icon: "upload", tone: "mute" },
  uploaded: { word: t`Columns to map`, icon: "columns-3", tone: "info" },
  checking: { word: t`Checking`, icon: "hourglass", tone: "info" },
  checked: { word: t`Ready to import`, icon: "list-check", tone: "info" },
  running: { word: t`Importing`, icon: "hourglass", tone: "info" },
  paused: { word: t`Paused`, icon: "player-pause", tone: "warn" },
  finished: { word: t`Finished`, icon: "circle-check", tone: "ok", quiet: true },
  stopped: { word: t`Stopped`, icon: "ban", tone: "warn" },
  canceled: { word: t`Canceled`, icon: "ban", tone: "mute", quiet: true },
  undoing: { word: t`Undoing`, icon: "arrow-back-up", tone: "info" },
  undone: { word: t`Undone`, icon: "arrow-back-up", tone: "mute", quiet: true },
};

export const outcomeLabels: Record<"new" | "update" | "unchanged" | "rejected", StatusWord> = {
  new: { word: t`New`, icon: "plus", tone: "ok", quiet: true },
  update: { word: t`Update`, icon: "pencil", tone: "info", quiet: true },
  unchanged: { word: t`Already there`, icon: "check", tone: "mute", quiet: true },
  rejected: { word: t`Rejected`, icon: "circle-x", tone: "bad" },
};

export const rowsText = (rows: number) => plural(rows, { one: "# row", other: "# rows" });

/** "28 rows imported. 1 row already there." */
export const resultText = ({ new: created, update, unchanged }: Import["done"]) => {
  const imported = created + update;
  const texts = [
    imported > 0 || unchanged === 0
      ? plural(imported, { one: "# row imported.", other: "# rows imported." })
      : "",
    unchanged > 0
      ? plural(unchanged, { one: "# row already there.", other: "# rows already there." })
      : "",
  ];
  return texts.filter((one) => one).join(" ");
};
