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
  { entries: [{ to: "/", label: "Home", icon: "home", key: "h" }] },
  {
    label: "Ledger",
    entries: [
      {
        to: "/transaction",
        label: "Transactions",
        icon: "receipt",
        key: "t",
        permission: "transactions:read",
        waits: "transactions",
      },
      { to: "/users", label: "Users", icon: "users", key: "u", permission: "users:read" },
      {
        to: "/promotion",
        label: "Promotions",
        icon: "discount",
        key: "o",
        permission: "promotions:read",
      },
    ],
  },
  {
    label: "Catalogue",
    entries: [
      {
        to: "/package",
        label: "Packages",
        icon: "package",
        key: "p",
        permission: "packages:read",
      },
      { to: "/apps", label: "Apps", icon: "apps", key: "a", permission: "apps:read" },
      {
        to: "/feature",
        label: "Features",
        icon: "adjustments",
        key: "f",
        permission: "features:read",
      },
      {
        to: "/catalogue",
        label: "Catalogue as code",
        icon: "file-code",
        key: "c",
        permission: "packages:read",
      },
    ],
  },
  {
    label: "Office",
    entries: [
      {
        to: "/approvals",
        label: "Approvals",
        icon: "list-check",
        key: "v",
        waits: "approvals",
      },
      {
        to: "/audit",
        label: "Audit log",
        icon: "history",
        key: "l",
        permission: "audit:read",
      },
      { to: "/roles", label: "Roles", icon: "shield-lock", key: "r", permission: "staff:read" },
      { to: "/webhook", label: "Webhooks", icon: "bolt", key: "w", permission: "webhooks:read" },
      {
        to: "/settings",
        label: "Settings",
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
    label: "New transaction",
    icon: "plus",
    key: "",
    permission: "transactions:write",
  },
  { to: "/users/create", label: "New user", icon: "plus", key: "", permission: "users:write" },
  {
    to: "/package/create",
    label: "New package",
    icon: "plus",
    key: "",
    permission: "packages:write",
  },
  { to: "/apps/create", label: "New app", icon: "plus", key: "", permission: "apps:write" },
  {
    to: "/feature/create",
    label: "New feature",
    icon: "plus",
    key: "",
    permission: "features:write",
  },
  {
    to: "/promotion/create",
    label: "New promotion",
    icon: "plus",
    key: "",
    permission: "promotions:write",
  },
];
