import type { Sent } from "./generate/requests.ts";
import type { Finding, Oracle } from "./oracles.ts";

export type Violation = {
  operation: string;
  oracle: Oracle;
  detail: string;
  count: number;
  /** The smallest request that showed it. */
  request: string;
};

const bodyText = (payload: Buffer) => {
  const text = payload.toString();
  const shown = Buffer.from(text).equals(payload) ? text : `hex ${payload.toString("hex")}`;
  return shown.length > 600 ? `${shown.slice(0, 600)}… (${payload.length} bytes)` : shown;
};

const describe = ({ method, url, headers, payload }: Sent) => {
  const shown = Object.entries(headers).map(([name, value]) => `${name}: ${value.slice(0, 100)}`);
  return [`${method} ${url}`, ...shown, ...(payload ? ["", bodyText(payload)] : [])].join("\n");
};

// Ids and quoted values, which differ between two responses with the same fault.
const shapeOf = (detail: string) => detail.replaceAll(/[0-9a-f-]{20,}|"[^"]*"/g, "").slice(0, 40);

/** Collects violations. The same fault is reported once, with its smallest request. */
export const createReport = () => {
  const found = new Map<string, Violation>();
  const answers: Record<string, Record<number, number>> = {};
  return {
    answers,
    count: (operation: string, status: number) => {
      const counts = answers[operation] ?? {};
      answers[operation] = { ...counts, [status]: (counts[status] ?? 0) + 1 };
    },
    add: (operation: string, { oracle, detail }: Finding, sent: Sent) => {
      const request = describe(sent);
      const key = `${operation} ${oracle} ${shapeOf(detail)}`;
      const before = found.get(key);
      const keeps = before && before.request.length <= request.length;
      found.set(key, {
        operation,
        oracle,
        detail: keeps ? before.detail : detail,
        request: keeps ? before.request : request,
        count: (before?.count ?? 0) + 1,
      });
    },
    violations: () => [...found.values()],
  };
};
