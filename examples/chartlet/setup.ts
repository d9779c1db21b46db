import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";

type Purser = {
  url: string;
  /** The session of an owner who confirmed their identity, as a cookie. */
  cookie: string;
};

/** What Chartlet's server needs, as environment variables. */
export type Settings = {
  PURSER: string;
  PURSER_KEY: string;
  PURSER_SERVICE_KEY: string;
  WEBHOOK_SECRET: string;
};

type Draft = { draft: { id: string } | null };
type Endpoint = { id: string; url: string; version: number };

const caller =
  ({ url, cookie }: Purser) =>
  async <Reply>(method: string, path: string, body?: object, version?: number): Promise<Reply> => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        cookie,
        origin: url,
        ...(body && { "content-type": "application/json" }),
        ...(method === "POST" && { "idempotency-key": randomUUID() }),
        ...(version !== undefined && { "if-match": `"${version}"` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return (await response.json()) as Reply;
  };

type Call = ReturnType<typeof caller>;

/** Applies the catalog file, and puts its packages on sale. */
const sellPackages = async (call: Call) => {
  const source = readFileSync(new URL("catalog.yaml", import.meta.url), "utf8");
  const { hash } = await call<{ hash: string }>("POST", "/catalog/diff", { source });
  await call("POST", "/catalog/apply", { source, hash });
  const { items } = await call<{ items: { id: string }[] }>("GET", "/packages?f=group:is:chartlet");
  for (const { id } of items) {
    const { draft } = await call<Draft>("GET", `/packages/${id}`);
    if (!draft) continue;
    const impact = await call<{ hash: string }>("POST", `/packages/${id}/impact`, {});
    const body = { draftId: draft.id, note: "The first version", impact: impact.hash };
    await call("POST", `/packages/${id}/publish`, body);
  }
};

type Created = { id: string; secret: string };

/** The key with which Chartlet checks, counts usage and creates customers. */
const createKey = async (call: Call) => {
  const { items } = await call<{ items: { id: string }[] }>("GET", "/apps?f=code:is:chartlet");
  const scopes = ["entitlements:read", "usage:write", "customers:read", "customers:write"];
  const body = { name: "Chartlet server", kind: "server", scopes };
  return (await call<Created>("POST", `/apps/${items[0]?.id}/keys`, body)).secret;
};

/** The key with which Chartlet sells. The service account has only the permissions that this takes. */
const createSalesKey = async (call: Call) => {
  const permissions = ["packages:read", "users:read", "users:write"];
  const money = ["transactions:read", "transactions:write"];
  const { id } = await call<{ id: string }>("POST", "/service-accounts", {
    name: "Chartlet shop",
    role: "admin",
    permissions: [...permissions, ...money],
  });
  const body = { name: "Chartlet server", days: 30 };
  return (await call<Created>("POST", `/service-accounts/${id}/keys`, body)).secret;
};

const receiveWebhooks = async (call: Call, url: string) => {
  const { items } = await call<{ items: Endpoint[] }>("GET", "/webhook-endpoints");
  const known = items.find((endpoint) => endpoint.url === url);
  const types = ["entitlements.changed", "subscription.changed"];
  const body = { url, description: "Chartlet", types };
  const { secret } = known
    ? await call<Created>("POST", `/webhook-endpoints/${known.id}/rotate-secret`, {}, known.version)
    : await call<Created>("POST", "/webhook-endpoints", body);
  return secret;
};

/** Does what a team member would do once in the dashboard to connect and sell Chartlet. */
export const connectChartlet = async (purser: Purser, chartletUrl: string): Promise<Settings> => {
  const call = caller(purser);
  await sellPackages(call);
  return {
    PURSER: purser.url,
    PURSER_KEY: await createKey(call),
    PURSER_SERVICE_KEY: await createSalesKey(call),
    WEBHOOK_SECRET: await receiveWebhooks(call, `${chartletUrl}/webhooks/purser`),
  };
};
