import { pino } from "pino";

// No header, cookie or body is logged. This redacts what is passed to the logger by mistake.
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
