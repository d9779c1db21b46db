import { pino } from "pino";

// No header, cookie or body is logged at all; this catches what a caller hands over by mistake.
const secrets = ["password", "token", "secret", "cookie", "authorization", "challenge"];

export const createLog = (level: string, destination?: { write: (line: string) => void }) =>
  pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: secrets, censor: "[redacted]" },
    },
    destination ?? pino.destination({ sync: false }),
  );

export type Logger = ReturnType<typeof createLog>;
