import {
  changePromotion,
  deletePromotion,
  type Promotion,
  promotionReply,
} from "@purser/contract/promotions/endpoints";
import type { Reverting } from "#platform/audit/revert.ts";
import { findPeopleOf, findPromotion } from "./queries.ts";

export const revertingPromotions: Reverting = {
  entity: "promotions",
  find: findPromotion,
  reply: promotionReply,
  change: changePromotion,
  remove: deletePromotion,
  bodyOf: async (db, shown) => {
    const { id, feature, packages, amounts } = shown as unknown as Promotion;
    return {
      ...shown,
      featureId: feature?.id ?? null,
      packageIds: packages.map((one) => one.id),
      people: await findPeopleOf(db, id),
      amounts: amounts.map(({ given: _, ...one }) => one),
    };
  },
};
