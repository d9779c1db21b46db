import { randomUUID } from "node:crypto";

/** Calls of a team member, which must succeed. */
export const callsOf = (origin: string, cookie: string) => {
  const request = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${origin}/api${path}`, {
      method,
      headers: {
        cookie,
        origin: "http://localhost:3000",
        ...(body && { "content-type": "application/json" }),
        ...(method === "POST" && { "idempotency-key": randomUUID() }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  return {
    send: async <Reply>(method: "GET" | "POST" | "PUT", path: string, body?: object) =>
      (await (await request(method, path, body)).json()) as Reply,
    file: (path: string) => request("GET", path),
  };
};
export type Calls = ReturnType<typeof callsOf>;
