import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Arrived = { headers: Record<string, string>; body: string };

/** A local webhook receiver that records deliveries and responds with the configured status. */
export const startWebhookReceiver = async () => {
  const arrived: Arrived[] = [];
  const state = { status: 200 };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    arrived.push({ headers: request.headers as Record<string, string>, body });
    response.writeHead(state.status).end(state.status === 200 ? "Thank you." : "Out of order.");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/hooks`,
    arrived,
    answerWith: (status: number) => {
      state.status = status;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
export type Receiver = Awaited<ReturnType<typeof startWebhookReceiver>>;

/** The signature that a receiver expects, calculated from the Standard Webhooks specification. */
export const signatureOf = (secret: string, { headers, body }: Arrived) => {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
};
