import { t } from "@lingui/core/macro";
import type { ChargedLine } from "@purser/contract/transactions/endpoints";
import { nameOf, percentOfBasisPoints } from "../intl.ts";

type Taxed = Pick<ChargedLine, "taxTreatment" | "taxBasisPoints" | "taxName" | "taxCountry">;

const treatmentLabels: Record<ChargedLine["taxTreatment"], string> = {
  none: t`No tax`,
  rate: t`Tax`,
  "reverse charge": t`Reverse charge`,
  exempt: t`Tax-exempt`,
  manual: t`Entered manually`,
  provider: t`Calculated by the provider`,
  unknown: t`Tax`,
};

const rateLabel = ({ taxTreatment, taxBasisPoints, taxName }: Taxed) => {
  if (taxTreatment !== "rate" || taxBasisPoints === null) return null;
  const name = taxName ?? t`Tax`;
  const rate = percentOfBasisPoints(taxBasisPoints);
  return t`${name} ${rate}`;
};

/** How the tax of a line was found: "VAT 21%, Netherlands", "Reverse charge". */
export const taxLabel = (line: Taxed) => {
  const label = rateLabel(line) ?? treatmentLabels[line.taxTreatment];
  if (line.taxCountry === null || line.taxTreatment !== "rate") return label;
  const country = nameOf("region", line.taxCountry);
  return t`${label}, ${country}`;
};

const commonOf = (labels: (string | null)[]) => (new Set(labels).size === 1 ? labels[0] : null);

/** How the tax of all lines was found, if it is the same. */
export const commonTaxLabel = (lines: readonly Taxed[]) => commonOf(lines.map(taxLabel)) ?? null;

/** The heading of a column with taxes: the rate if all lines have the same. */
export const taxHeading = (lines: readonly Taxed[]) => commonOf(lines.map(rateLabel)) ?? t`Tax`;
