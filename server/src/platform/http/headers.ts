import { isPayloadUrl } from "@purser/contract/pages/payload";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** Other hosts that a page may load files and icons from, by configuration only. */
export type Hosts = { files: string[]; icons: string[] };

/** What a page may have inline: scripts by their hash, and styles with the nonce, because some are made in the browser. */
export type Inline = { nonce: string; scripts: readonly string[] };

const contentSecurity = ({ nonce, scripts }: Inline, { files, icons }: Hosts) =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...files, ...scripts.map((hash) => `'sha256-${hash}'`)].join(" "),
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

// A reply that isn't a page needs to load nothing.
const closed = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

export const alwaysHeaders = {
  "content-security-policy": closed,
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
  "cache-control": "no-store",
};

/** Set on every reply. A page overrides two of them. Payloads are private even if refused. */
export const setHeaders = (request: FastifyRequest, reply: FastifyReply) => {
  reply.headers(alwaysHeaders).header("x-request-id", request.id);
  return isPayloadUrl(request.originalUrl)
    ? reply.header("cache-control", "private, no-store")
    : reply;
};

export const secureHeaders = (app: FastifyInstance) =>
  app.addHook("onRequest", (request, reply, done) => {
    setHeaders(request, reply);
    done();
  });

/** A page may load only its own files. A cached page has an old nonce, so a nonce must not allow scripts. */
export const allowPage = (reply: FastifyReply, inline: Inline, hosts: Hosts) =>
  reply.header("content-security-policy", contentSecurity(inline, hosts));
