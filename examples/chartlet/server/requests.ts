import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

const cookie = "chartlet";

export const readBody = (request: IncomingMessage) => text(request);

const parse = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return {};
  }
};

/** The text fields of a JSON body. Everything else is dropped. */
export const readFields = async (request: IncomingMessage): Promise<Record<string, string>> => {
  const isJson = request.headers["content-type"] === "application/json";
  const given = isJson ? parse(await readBody(request)) : {};
  const fields = Object.entries(given ?? {}).filter(([, value]) => typeof value === "string");
  return Object.fromEntries(fields);
};

export const send = (response: ServerResponse, status: number, body?: unknown) => {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(body === undefined ? "" : JSON.stringify(body));
};

export const sessionOf = ({ headers }: IncomingMessage) =>
  new RegExp(`(?:^|; )${cookie}=([\\w-]+)`).exec(headers.cookie ?? "")?.[1] ?? "";

/** An empty session signs out. */
export const setSession = (response: ServerResponse, session: string) =>
  response.setHeader(
    "set-cookie",
    `${cookie}=${session}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${session ? 2_592_000 : 0}`,
  );
