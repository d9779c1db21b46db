import { t } from "@lingui/core/macro";
import { nameOf, percentOfBasisPoints } from "#lib/intl.ts";

const others: Record<string, string> = {
  "tax:none": t`No tax`,
  "tax:reverse-charge": t`Reverse charge`,
  "tax:exempt": t`Exempt`,
  "tax:manual": t`Entered manually`,
  "tax:provider": t`Reported by a provider`,
  "tax:unknown": t`Unknown rate`,
};

/** The name of a tax account, such as "Germany, 19%". */
export const taxName = (account: string) => {
  const [, place = "", points] = account.split(":");
  if (points === undefined) return others[account] ?? account;
  const [country = "", ...region] = place.split("-");
  const names = [nameOf("region", country), ...region];
  return [...names, percentOfBasisPoints(Number(points))].join(", ");
};
