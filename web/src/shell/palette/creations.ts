import { t } from "@lingui/core/macro";
import type { Entry } from "../navigation/entries.ts";

/** Create actions, available everywhere. */
export const creations: Omit<Entry, "key">[] = [
  {
    to: "/transaction/create",
    label: t`New transaction`,
    icon: "plus",
    permission: "transactions:write",
  },
  { to: "/users/create", label: t`New user`, icon: "plus", permission: "users:write" },
  {
    to: "/package/create",
    label: t`New package`,
    icon: "plus",
    permission: "packages:write",
  },
  { to: "/apps/create", label: t`New app`, icon: "plus", permission: "apps:write" },
  {
    to: "/feature/create",
    label: t`New feature`,
    icon: "plus",
    permission: "features:write",
  },
  {
    to: "/promotion/create",
    label: t`New promotion`,
    icon: "plus",
    permission: "promotions:write",
  },
];
