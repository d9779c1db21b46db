import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import pg from "pg";

// Parts of pg that its declarations leave out.
type Running = pg.ClientBase & {
  host: string;
  port: number;
  ssl: boolean | object;
  processID: number;
  secretKey: number;
};
type Wire = EventEmitter & {
  stream: Socket;
  connect: (port: number | string, host?: string) => void;
  requestSsl: () => void;
  cancel: (processID: number, secretKey: number) => void;
};

const cancelMs = 5000;

/**
 * Asks the database to cancel what this connection runs. The request can arrive after the statement has ended, so the
 * connection must not be used again.
 */
export const cancelStatement = (client: pg.ClientBase) => {
  const { host, port, ssl, processID, secretKey } = client as Running;
  const wire = new pg.Connection({ ssl } as pg.ConnectionConfig) as unknown as Wire;
  const send = () => wire.cancel(processID, secretKey);
  wire.on("error", () => wire.stream.destroy());
  wire.on("connect", () => (ssl ? wire.requestSsl() : send()));
  wire.on("sslconnect", send);
  wire.stream.setTimeout(cancelMs, () => wire.stream.destroy());
  if (host.startsWith("/")) wire.connect(`${host}/.s.PGSQL.${port}`);
  else wire.connect(port, host);
};
