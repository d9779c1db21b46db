import type { FastifyInstance, HTTPMethods } from "fastify";

const methods: HTTPMethods[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/**
 * Notes which methods each address takes; the function it gives, called after all routes, lets every
 * other method answer 405 instead of 404.
 */
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
