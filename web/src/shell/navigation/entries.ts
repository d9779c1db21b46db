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
};

/** The menu. Every entity with screens has an entry here. */
export const groups: { label?: string; entries: Entry[] }[] = [
  { entries: [{ to: "/", label: t`Home`, icon: "home", key: "h" }] },
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
      },
      { to: "/users", label: t`Users`, icon: "users", key: "u", permission: "users:read" },
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
      },
      {
        to: "/audit",
        label: t`Audit log`,
        icon: "history",
        key: "l",
        permission: "audit:read",
      },
      { to: "/roles", label: t`Roles`, icon: "shield-lock", key: "r", permission: "team:read" },
      { to: "/webhook", label: t`Webhooks`, icon: "bolt", key: "w", permission: "webhooks:read" },
      {
        to: "/settings",
        label: t`Settings`,
        icon: "settings",
        key: "s",
        permission: "settings:read",
      },
    ],
  },
];

/** Create actions, available everywhere. */
export const creations: Entry[] = [
  {
    to: "/transaction/create",
    label: t`New transaction`,
    icon: "plus",
    key: "",
    permission: "transactions:write",
  },
  { to: "/users/create", label: t`New user`, icon: "plus", key: "", permission: "users:write" },
  {
    to: "/package/create",
    label: t`New package`,
    icon: "plus",
    key: "",
    permission: "packages:write",
  },
  { to: "/apps/create", label: t`New app`, icon: "plus", key: "", permission: "apps:write" },
  {
    to: "/feature/create",
    label: t`New feature`,
    icon: "plus",
    key: "",
    permission: "features:write",
  },
  {
    to: "/promotion/create",
    label: t`New promotion`,
    icon: "plus",
    key: "",
    permission: "promotions:write",
  },
];
