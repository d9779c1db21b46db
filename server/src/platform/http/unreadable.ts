import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { message } from "../messages.ts";
import { alwaysHeaders } from "./headers.ts";
import { Problem } from "./problem.ts";

const refusals = {
  HPE_HEADER_OVERFLOW: [
    431,
    message("headers_too_large", "The headers of the request are too large. Send fewer cookies."),
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    408,
    message("request_too_slow", "The request took too long to arrive. Send it again."),
  ],
} as const;

const unreadable = [
  400,
  message("request_unreadable", "The request can't be read as HTTP. Check the client or proxy."),
] as const;

/**
 * Answers a request that Node can't parse, in the form of all other refusals. The connection is closed, because what
 * follows on it can't be trusted.
 */
export const answerUnreadable = (error: Error & { code?: string }, socket: Socket) => {
  if (error.code === "ECONNRESET" || socket.destroyed || !socket.writable) return socket.destroy();
  const [status, detail] = refusals[error.code as keyof typeof refusals] ?? unreadable;
  const requestId = randomUUID();
  const body = JSON.stringify({ ...new Problem("malformed", detail).body(requestId), status });
  const headers = {
    ...alwaysHeaders,
    "x-request-id": requestId,
    "content-type": "application/problem+json",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n"));
};
