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
import { message } from "#platform/messages.ts";
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
  detail: message(
    "revert_promotion_part",
    "This change can't be reverted here. Edit the promotion instead.",
  ),
};

export const promotionRevertAdvice: RevertAdvice = {
  promotions: {
    detail: message(
      "revert_promotion",
      "This change can't be reverted here. Open the promotion to publish, pause, resume or archive it.",
    ),
    label: message("open_promotion", "Open promotion"),
    pathOf: (id) => `/promotion/edit/${id}`,
  },
  promotion_amounts: atPromotion,
  promotion_codes: atPromotion,
  promotion_packages: atPromotion,
  promotion_people: atPromotion,
};
