import { t } from "@lingui/core/macro";
import type { Role } from "@purser/contract/auth/permissions";

export const roleNames: Record<Role, string> = {
  owner: t`Owner`,
  admin: t`Admin`,
  catalog: t`Catalog`,
  finance: t`Finance`,
  support: t`Support`,
  viewer: t`Viewer`,
};
