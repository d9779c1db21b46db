import { EventEmitter, once } from "node:events";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

type Mail = { to: string[]; text: string };

/** The text of an email. Long links are folded by quoted-printable encoding. */
const decoded = (raw: string) => {
  const [head = "", ...rest] = raw.split("\r\n\r\n");
  const body = rest.join("\r\n\r\n");
  if (!/^content-transfer-encoding: quoted-printable/im.test(head)) return body;
  return body
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
};

/** An SMTP server that delivers to the tests. */
export const openMailbox = async () => {
  const mails: Mail[] = [];
  const arrivals = new EventEmitter();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: async (stream, { envelope }, done) => {
      const text = decoded(await textOf(stream));
      mails.push({ to: envelope.rcptTo.map(({ address }) => address), text });
      done();
      arrivals.emit("mail");
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;

  return {
    url: `smtp://127.0.0.1:${port}`,
    /** The text of the oldest unread email to that address. */
    read: async (to: string): Promise<string> => {
      for (;;) {
        const place = mails.findIndex((mail) => mail.to.includes(to));
        const [mail] = place < 0 ? [] : mails.splice(place, 1);
        if (mail) return mail.text;
        await once(arrivals, "mail");
      }
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
};
