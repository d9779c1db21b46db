import { request as requestPlainly } from "node:http";
import { request } from "node:https";
import type { LookupFunction } from "node:net";
import type { Target } from "./targets.ts";

type Sent = { headers: Record<string, string>; body: string; signal: AbortSignal };

export type Answer = { status: number; text: string };

const answerBytesMax = 64 * 1024;
const shownMax = 2000;

// Built from codes, so that this file has no such character. PostgreSQL can't store some of them.
const controls = new RegExp(
  `[${String.fromCodePoint(0)}-\\u0008\\u000b-\\u001f\\u007f-\\u009f]`,
  "g",
);

/** The start of a response, safe to show to users. */
const shown = (chunks: Buffer[]) =>
  Buffer.concat(chunks).toString("utf8").replace(controls, "").slice(0, shownMax).toWellFormed();

/** Connects to the addresses that were checked, whatever the host name resolves to by now. */
const pinnedTo =
  (addresses: Target["addresses"]): LookupFunction =>
  (_host, options, done) => {
    const [first] = addresses;
    if (options.all) done(null, addresses);
    else done(null, first?.address ?? "", first?.family);
  };

/** Sends a body and reads the start of the response. Redirects are not followed. */
export const post = ({ url, addresses }: Target, { headers, body, signal }: Sent) =>
  new Promise<Answer>((resolve, reject) => {
    const start = url.protocol === "https:" ? request : requestPlainly;
    const sending = start(
      url,
      {
        method: "POST",
        agent: false,
        lookup: pinnedTo(addresses),
        signal,
        headers: {
          ...headers,
          "content-length": Buffer.byteLength(body),
          "accept-encoding": "identity",
          connection: "close",
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        const finish = () => resolve({ status: response.statusCode ?? 0, text: shown(chunks) });
        response.on("data", (chunk: Buffer) => {
          chunks.push(chunk);
          bytes += chunk.length;
          if (bytes < answerBytesMax) return;
          finish();
          response.destroy();
        });
        response.on("end", finish);
        response.on("error", reject);
      },
    );
    sending.on("error", reject);
    sending.end(body);
  });
