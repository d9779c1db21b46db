import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** Other hosts that a page may load from, by configuration alone: its files', and the icons'. */
export type Hosts = { files: string[]; icons: string[] };

const contentSecurity = (nonce: string, { files, icons }: Hosts) =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...files, `'nonce-${nonce}'`].join(" "),
    ["style-src 'self'", ...files, `'nonce-${nonce}'`].join(" "),
    "style-src-attr 'none'",
    "img-src 'self' data:",
    ["font-src 'self'", ...files].join(" "),
    ["connect-src 'self'", ...files, ...icons].join(" "),
    "manifest-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join("; ");

// A document of ours that is no page needs nothing of anybody.
const closed = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const always = {
  "content-security-policy": closed,
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
  "cache-control": "no-store",
};

/** Every answer carries them; a page loosens two of them for itself. */
export const setHeaders = (request: FastifyRequest, reply: FastifyReply) =>
  reply.headers(always).header("x-request-id", request.id);

export const secureHeaders = (app: FastifyInstance) =>
  app.addHook("onRequest", async (request, reply) => {
    setHeaders(request, reply);
  });

/** What a page of ours may load: only its own files, and inline only what carries the nonce. */
export const allowPage = (reply: FastifyReply, nonce: string, hosts: Hosts) =>
  reply.header("content-security-policy", contentSecurity(nonce, hosts));
