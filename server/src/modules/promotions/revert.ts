import { namesByColumn } from "@purser/contract/fields/declarations";
import {
  changePromotion,
  deletePromotion,
  type Promotion,
  promotionReply,
} from "@purser/contract/promotions/endpoints";
import { currentDuration, promotionFields } from "@purser/contract/promotions/fields";
import type { Reverting } from "#platform/audit/revert.ts";
import type { RevertAdvice } from "#platform/audit/revertAdvice.ts";
import { findCustomersOf, findPromotion } from "./queries.ts";

export const revertingPromotions: Reverting = {
  entity: "promotions",
  find: findPromotion,
  reply: promotionReply,
  change: changePromotion,
  remove: deletePromotion,
  names: namesByColumn(promotionFields),
  renamed: { duration: currentDuration },
  bodyOf: async (db, shown) => {
    const { id, feature, packages, amounts } = shown as unknown as Promotion;
    return {
      ...shown,
      featureId: feature?.id ?? null,
      packageIds: packages.map((one) => one.id),
      customers: await findCustomersOf(db, id),
      amounts: amounts.map(({ given: _, ...one }) => one),
    };
  },
};

const atPromotion = {
  detail: "Amounts, codes, packages and people of a promotion are changed at the promotion.",
};

export const promotionRevertAdvice: RevertAdvice = {
  promotions: {
    detail: "Publish, pause, resume or archive it at the promotion; uses are never taken back.",
    label: "Open the promotion",
    pathOf: (id) => `/promotion/edit/${id}`,
  },
  promotion_amounts: atPromotion,
  promotion_codes: atPromotion,
  promotion_packages: atPromotion,
  promotion_people: atPromotion,
};
