import { getEntitlements } from "@purser/contract/entitlements/explanation";
import type { catalogIn } from "#modules/packages/testing/testing.ts";
import type { TestProduct } from "../../../testing.ts";

type TeamMember = Awaited<ReturnType<TestProduct["signIn"]>>;

export type LimitFeature = Awaited<ReturnType<ReturnType<typeof catalogIn>["newLimit"]>>;

/** The explanation of a customer's entitlements as the viewer sees it, now or at a moment. */
export const explanationsIn = ({ call }: TestProduct, viewer: TeamMember) => {
  const explanationOf = async (id: string, at?: string) => {
    const query = at === undefined ? {} : { at };
    return (await call(viewer, getEntitlements, { params: { id }, query })).body;
  };

  const itemOf = async (id: string, feature: LimitFeature, at?: string) => {
    const item = (await explanationOf(id, at)).items.find((one) => one.feature.id === feature.id);
    if (!item) throw new Error("The feature isn't in the explanation.");
    return item;
  };

  return { explanationOf, itemOf };
};
