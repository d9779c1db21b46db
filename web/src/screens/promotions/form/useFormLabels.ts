import type { Promotion } from "../queries.ts";
import { formLabelsFor } from "./formLabels.ts";
import { usePackageNames } from "./Targets.tsx";
import type { PromotionValues } from "./values.ts";

/** The labels of the form, with the names of referenced packages. */
export const useFormLabels = ({ packageIds }: PromotionValues, promotion: Promotion | null) => {
  const names = usePackageNames(packageIds);
  const stored = [
    ...(promotion?.packages ?? []),
    ...(promotion?.feature ? [promotion.feature] : []),
  ];
  return formLabelsFor(new Map([...stored.map(({ id, name }) => [id, name] as const), ...names]));
};
