import { customerTokenHeader } from "@purser/contract/entitlements/customerTokens";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Db, first } from "../db/db.ts";
import { statement } from "../db/statement.ts";
import { Problem } from "../http/problem.ts";
import { message } from "../messages.ts";

const listedOrigin = statement(
  "auth.findOrigin",
  `
  select from app_keys
  where kind = 'publishable' and origins @> array[$1::text] and revoked_at is null
    and (expires_at is null or expires_at > $2)
  limit 1`,
);

const originRefused = () =>
  new Problem(
    "cross_site",
    message(
      "origin_not_listed",
      "This origin isn't listed on the publishable key. Add it to the key in Purser.",
    ),
  );

/** Replies differ by origin, also refusals, so that no cache gives one origin the reply of another. */
export const varyByOrigin = (reply: FastifyReply) => reply.header("vary", "origin");

/** Lets a page of this origin read the reply. Never with a wildcard, and never with cookies. */
const allow = (reply: FastifyReply, origin: string) =>
  reply
    .header("access-control-allow-origin", origin)
    .header("access-control-expose-headers", "date, etag, retry-after, x-request-id");

/** Refuses browsers on other origins. Mobile and desktop apps send no origin. */
export const allowListedOrigin = (
  { headers: { origin } }: FastifyRequest,
  reply: FastifyReply,
  { origins }: { origins: readonly string[] },
) => {
  if (origin === undefined) return;
  if (!origins.includes(origin)) throw originRefused();
  allow(reply, origin);
};

/** Before a request with a key, a browser asks without it. So the origin must be listed on any valid key. */
export const answerPreflight = async (db: Db, request: FastifyRequest, reply: FastifyReply) => {
  const { origin } = request.headers;
  if (origin === undefined || !(await first(db, listedOrigin, [origin, request.now])))
    throw originRefused();
  return allow(reply, origin)
    .header("access-control-allow-methods", "GET, POST")
    .header(
      "access-control-allow-headers",
      `authorization, content-type, if-none-match, ${customerTokenHeader}`,
    )
    .header("access-control-max-age", "600")
    .code(204)
    .send();
};
