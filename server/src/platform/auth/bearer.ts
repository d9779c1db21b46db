import type { FastifyRequest } from "fastify";

/** The secret that the request authenticates with, or null. */
export const bearerOf = ({ headers: { authorization = "" } }: Pick<FastifyRequest, "headers">) => {
  const [scheme, secret] = authorization.split(" ");
  return scheme?.toLowerCase() === "bearer" && secret ? secret : null;
};
