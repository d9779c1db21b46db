import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Sends each request to the next instance, and retries on another one if that is down. */
export const startLoadBalancer = async () => {
  const ports: number[] = [];
  let turn = 0;

  const pass = (from: IncomingMessage, to: ServerResponse, body: Buffer, tries: number) => {
    turn += 1;
    const port = ports[turn % ports.length];
    const { method, url: path, headers } = from;
    const inner = request({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
      // It is being stopped: another one answers.
      if (answer.statusCode === 503 && tries > 0) {
        answer.resume();
        pass(from, to, body, tries - 1);
        return;
      }
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(to);
    });
    inner.on("error", () => {
      if (tries > 0 && !to.headersSent) pass(from, to, body, tries - 1);
      else to.destroy();
    });
    to.on("close", () => inner.destroy());
    inner.end(body);
  };

  const server = createServer(async (from, to) => {
    const chunks: Buffer[] = [];
    for await (const chunk of from) chunks.push(chunk);
    pass(from, to, Buffer.concat(chunks), 3);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    ports,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
