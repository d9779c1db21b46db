import { randomUUID } from "node:crypto";
import { type CommentedEntity, commentEndpoints } from "@purser/contract/workspace/comments";
import type { shopIn } from "#modules/transactions/testing/testing.ts";
import type { TestProduct } from "#testing.ts";

type Shop = Awaited<ReturnType<typeof shopIn>>;

/** Creates a record with a comment, by the path of the comment. */
export const commentsOn = ({ call }: TestProduct, shop: Shop, packageId: string) => {
  const records: Record<CommentedEntity, () => Promise<{ id: string }>> = {
    apps: shop.newApp,
    features: async () => shop.newLimit((await shop.newApp()).id),
    packages: shop.sellPackage,
    promotions: () => shop.promote({ code: randomUUID().slice(0, 12), duration: "forever" }),
    transactions: () => shop.sell(shop.saleOf(packageId)),
  };
  return Object.fromEntries(
    Object.entries(records).map(([entity, make]) => [
      `/${entity}/:id/comments/:commentId`,
      async () => {
        const { id } = await make();
        const { add } = commentEndpoints[entity as CommentedEntity];
        const { body } = await call(shop.admin, add, { params: { id }, body: { text: "Look." } });
        return { parent: id, child: body.id };
      },
    ]),
  );
};
