import { pino } from "pino";
import { textOfMoment } from "./moments.ts";

// No header, cookie or body is logged. This redacts what is passed to the logger by mistake, and what errors contain.
const secretName =
  /(password|passphrase|token|secret|cookie|authorization|challenge|api[-_]?key|recovery[-_]?codes?)$/i;
const redacted = "[redacted]";
const depthMax = 10;
const breadthMax = 100;

/**
 * Also in URLs, where the sign is encoded, once or several times. The parts are bounded, so that the time is linear. The
 * end of a name of a package, such as `fastify@5.1.0`, isn't a domain.
 */
const emailAddress =
  /[^\s"'<>()@,;:/\\=?&%]{1,64}(?:@|%(?:25){0,4}40)(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}[\p{L}\p{N}-]{1,62}/gu;

// Most lines have none of the signs that an address needs.
const withoutAddresses = (line: string) =>
  line.includes("@") || line.includes("%") ? line.replace(emailAddress, redacted) : line;

const isPlain = (value: object) => {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
};

const cleanFields = (fields: object, depth = 0) => {
  const cleaned: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields).slice(0, breadthMax))
    cleaned[name] = secretName.test(name) ? redacted : withoutSecrets(value, depth + 1);
  return cleaned;
};

/** Other objects, such as connections, are only named: they can be huge, and contain anything. */
const withoutSecrets = (value: unknown, depth: number): unknown => {
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (depth > depthMax) return "[nested]";
  if (value instanceof Error) return cleanFields(pino.stdSerializers.err(value), depth);
  if (Array.isArray(value))
    return value.slice(0, breadthMax).map((one) => withoutSecrets(one, depth + 1));
  return isPlain(value) ? cleanFields(value, depth) : `[${value.constructor.name}]`;
};

export const createLog = (level: string, destination?: { write: (line: string) => void }) =>
  pino(
    {
      level,
      timestamp: () => `,"time":"${textOfMoment(new Date())}"`,
      formatters: { log: (fields) => cleanFields(fields) },
      // On the written line, because the text of an error can also become the message.
      hooks: { streamWrite: withoutAddresses },
    },
    // Lines of a quarter of a second are written together. What is left is written at exit.
    destination ?? pino.destination({ sync: false, minLength: 4096, periodicFlush: 250 }),
  );

export type Logger = ReturnType<typeof createLog>;
