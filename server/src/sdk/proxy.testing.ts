import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { atEnd } from "../testing.ts";

/** What happens to requests on their way: nothing, no answer at all, or the loss of every fourth reply. */
type Mode = "up" | "down" | "slow" | "lossy";

/** A network between an app and Purser that a test can interrupt. */
export const openProxy = async (address: string) => {
  let mode: Mode = "up";
  let requests = 0;
  const server = createServer((incoming, outgoing) => {
    requests += 1;
    if (mode === "down") return incoming.socket.destroy();
    if (mode === "slow") return;
    const isLost = mode === "lossy" && requests % 4 === 1;
    const url = new URL(incoming.url ?? "", address);
    const { method, headers } = incoming;
    const sent = request(url, { method, headers }, (received) => {
      if (isLost) return received.resume().on("end", () => incoming.socket.destroy());
      outgoing.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(outgoing);
    });
    sent.on("error", () => incoming.socket.destroy());
    outgoing.on("close", () => sent.destroy());
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    set: (next: Mode) => {
      mode = next;
      // Requests that are on their way and streams end, too.
      if (next === "down") server.closeAllConnections();
    },
  };
};
