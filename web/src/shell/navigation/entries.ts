import { t } from "@lingui/core/macro";
import type { Permission } from "@purser/contract/auth/permissions";
import type { IconName } from "#ui/iconNames.ts";
import type { To } from "#ui/page/Page.tsx";

export type Entry = {
  to: To & string;
  label: string;
  icon: IconName;
  key: string;
  permission?: Permission;
  /** Shows the number of pending items next to the label. */
  waits?: "transactions" | "approvals";
  /** Also in the bar at the bottom of phones. */
  inBar?: true;
};

/** The menu. Every entity with screens has an entry here. */
export const groups: { label?: string; entries: Entry[] }[] = [
  { entries: [{ to: "/", label: t`Home`, icon: "home", key: "h", inBar: true }] },
  {
    label: t`Sales`,
    entries: [
      {
        to: "/transaction",
        label: t`Transactions`,
        icon: "receipt",
        key: "t",
        permission: "transactions:read",
        waits: "transactions",
        inBar: true,
      },
      {
        to: "/users",
        label: t`Users`,
        icon: "users",
        key: "u",
        permission: "users:read",
        inBar: true,
      },
      {
        to: "/promotion",
        label: t`Promotions`,
        icon: "discount",
        key: "o",
        permission: "promotions:read",
      },
    ],
  },
  {
    label: t`Catalog`,
    entries: [
      {
        to: "/package",
        label: t`Packages`,
        icon: "package",
        key: "p",
        permission: "packages:read",
      },
      { to: "/apps", label: t`Apps`, icon: "apps", key: "a", permission: "apps:read" },
      {
        to: "/feature",
        label: t`Features`,
        icon: "adjustments",
        key: "f",
        permission: "features:read",
      },
    ],
  },
  {
    label: t`Insights`,
    entries: [
      { to: "/reports", label: t`Reports`, icon: "gauge", key: "i", permission: "reports:read" },
    ],
  },
  {
    label: t`Developers`,
    entries: [
      { to: "/webhook", label: t`Webhooks`, icon: "bolt", key: "w", permission: "webhooks:read" },
      {
        to: "/catalog",
        label: t`Catalog as code`,
        icon: "file-code",
        key: "c",
        permission: "packages:read",
      },
    ],
  },
  {
    label: t`Workspace`,
    entries: [
      {
        to: "/approvals",
        label: t`Approvals`,
        icon: "list-check",
        key: "v",
        waits: "approvals",
        inBar: true,
      },
      {
        to: "/audit",
        label: t`History`,
        icon: "history",
        key: "l",
        permission: "audit:read",
      },
      {
        to: "/roles",
        label: t`Team & roles`,
        icon: "shield-lock",
        key: "r",
        permission: "team:read",
      },
      {
        to: "/settings",
        label: t`Settings`,
        icon: "settings",
        key: "s",
        permission: "settings:read",
      },
      {
        to: "/system",
        label: t`System`,
        icon: "database",
        key: "y",
        permission: "jobs:read",
      },
    ],
  },
];
