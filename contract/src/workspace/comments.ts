import { z } from "zod";
import type { Permission } from "../auth/permissions.ts";
import { type EntityName, entities } from "../entities.ts";
import { id, instant, record } from "../fields/primitives.ts";
import { plain, text } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";

const person = z.object({ id, name: plain });

export const comment = z
  .object({
    id,
    author: person,
    text: plain,
    /** Team members who were notified. Their names are in the text, after an @. */
    mentions: z.array(person),
    createdAt: instant,
    crossedOutAt: instant.nullable(),
  })
  .meta({ id: "Comment" });
export type Comment = z.output<typeof comment>;

export const newComment = z.strictObject({
  text: text({ min: 1, max: 4000, lines: true }),
  mentions: z.array(id).max(20).default([]),
});

export type CommentedEntity = Exclude<EntityName, "users">;

/** The comments on the records of an entity. Customers have notes instead, with the same fields. */
const commentsOf = (entity: CommentedEntity, read: Permission) => {
  const { one } = entities[entity];
  const path = `/${entity}/:id/comments` as const;
  return {
    list: endpoint({
      method: "GET",
      path,
      summary: `List the latest 100 comments on a ${one}`,
      permission: read,
      params: record,
      reply: z.object({ items: z.array(comment) }),
    }),
    add: endpoint({
      method: "POST",
      path,
      summary: `Comment on a ${one}`,
      permission: "comments:write",
      params: record,
      body: newComment,
      reply: comment,
      status: 201,
    }),
    crossOut: endpoint({
      method: "POST",
      path: `${path}/:commentId/cross-out`,
      summary: `Cross out one of your comments on a ${one}`,
      permission: "comments:write",
      params: record.extend({ commentId: id }),
      body: z.strictObject({}),
      reply: comment,
      refusals: ["wrong_state"],
    }),
  };
};

const ofApps = commentsOf("apps", "apps:read");
const ofFeatures = commentsOf("features", "features:read");
const ofPackages = commentsOf("packages", "packages:read");
const ofPromotions = commentsOf("promotions", "promotions:read");
const ofTransactions = commentsOf("transactions", "transactions:read");

/** The endpoints by entity, for code that is the same for all of them. */
export const commentEndpoints = {
  apps: ofApps,
  features: ofFeatures,
  packages: ofPackages,
  promotions: ofPromotions,
  transactions: ofTransactions,
} as const satisfies Record<CommentedEntity, unknown>;

export const { list: listAppComments, add: addAppComment, crossOut: crossOutAppComment } = ofApps;
export const {
  list: listFeatureComments,
  add: addFeatureComment,
  crossOut: crossOutFeatureComment,
} = ofFeatures;
export const {
  list: listPackageComments,
  add: addPackageComment,
  crossOut: crossOutPackageComment,
} = ofPackages;
export const {
  list: listPromotionComments,
  add: addPromotionComment,
  crossOut: crossOutPromotionComment,
} = ofPromotions;
export const {
  list: listTransactionComments,
  add: addTransactionComment,
  crossOut: crossOutTransactionComment,
} = ofTransactions;

export const listColleagues = endpoint({
  method: "GET",
  path: "/colleagues",
  summary: "List the names of active team members, to mention one",
  permission: "signed in",
  query: z.strictObject({ q: text({ max: 100 }).optional() }),
  reply: z.object({ items: z.array(person) }),
});
