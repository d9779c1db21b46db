import { entities } from "@purser/contract/entities";
import {
  type CommentedEntity,
  commentEndpoints,
  listColleagues,
} from "@purser/contract/workspace/comments";
import type { FastifyInstance } from "fastify";
import type { Db } from "#platform/db/db.ts";
import { existing } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { escapeLike } from "#platform/lists/sql.ts";
import { message } from "#platform/messages.ts";
import { addComment, crossOut } from "./comments.ts";
import { findColleagues, findCommented, findComments } from "./queries.ts";

const readCommented = async (db: Db, entity: CommentedEntity, id: string) =>
  existing(await findCommented(db, entity, id), entities[entity].one);

/** The page with the comments of a record. Promotions have them in the preview of their list. */
const pageOf = (entity: CommentedEntity, id: string) =>
  entity === "promotions"
    ? `${entities.promotions.list}?preview=${id}`
    : `${entities[entity].page.replace("$id", id)}?tab=activity`;

const routesOf = (app: FastifyInstance, entity: CommentedEntity) => {
  const { list, add, crossOut: crossOutOne } = commentEndpoints[entity];

  serve(app, list, async ({ db, params: { id } }) => {
    await readCommented(db, entity, id);
    return { items: await findComments(db, { entity, id }) };
  });

  serve(app, add, async ({ db, params: { id }, body, session }) => {
    const { label, customerId } = await readCommented(db, entity, id);
    return addComment(db, {
      ...body,
      about: { entity, id },
      customerId,
      author: session,
      notice: message("mentioned_in_comment", "{author} mentioned you in a comment on {record}", {
        author: session.name,
        record: label,
      }),
      path: pageOf(entity, id),
    });
  });

  serve(app, crossOutOne, async ({ db, params: { id, commentId }, session, now }) => {
    await readCommented(db, entity, id);
    return crossOut(db, { about: { entity, id }, id: commentId, session, now });
  });
};

/** Comments on records, and the team members that they can mention. Notes about customers are served with them. */
export const commentRoutes = (app: FastifyInstance) => {
  for (const entity of Object.keys(commentEndpoints) as CommentedEntity[]) routesOf(app, entity);

  serve(app, listColleagues, async ({ db, query: { q } }) => ({
    items: await findColleagues(db, q ? `%${escapeLike(q.toLowerCase())}%` : null),
  }));
};
