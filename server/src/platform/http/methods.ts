import type { FastifyInstance, HTTPMethods } from "fastify";

const methods: HTTPMethods[] = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Records the methods of each path. Call the returned function after all routes, so that other methods get 405. */
export const refuseOtherMethods = (app: FastifyInstance) => {
  const known = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    const taken = known.get(url) ?? new Set();
    for (const one of [method].flat()) taken.add(one);
    known.set(url, taken);
  });

  return () => {
    for (const [url, taken] of [...known]) {
      const allow = [...taken].join(", ");
      app.route({
        method: methods.filter((method) => !taken.has(method)),
        url,
        config: { permission: "anyone", allow },
        handler: async () => undefined,
      });
    }
  };
};
