import { setTimeout as wait } from "node:timers/promises";
import { SMTPServer } from "smtp-server";

export const origin = "http://localhost:3000";

export const untilReady = async (port: string) => {
  const start = performance.now();
  for (;;) {
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    if (performance.now() - start > 180_000) throw new Error(`Port ${port} isn't ready.`);
    await wait(200);
  }
};

/** The SMTP server of the settings in the documentation. */
export const startMailbox = async () => {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, _session, done) => void stream.resume().on("end", () => done()),
  });
  await new Promise<void>((resolve) => server.listen(25, "127.0.0.1", resolve));
};

/** Whether the server has what makes the API reference interactive. */
export const hasInteractiveReference = async () => {
  const page = await (await fetch(`${origin}/api/reference`)).text();
  const { ok } = await fetch(`${origin}/api/reference/scalar.js`);
  return ok && page.includes("scalar.js");
};
