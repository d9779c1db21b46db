import { t } from "@lingui/core/macro";
import type { UserStatus } from "@purser/contract/users/fields";

export const userStatusNames: Record<UserStatus, string> = {
  invited: t`Invited`,
  active: t`Active`,
  suspended: t`Suspended`,
  erased: t`Erased`,
};
