import { Problem } from "../http/problem.ts";
import { tooManyFromNetwork } from "../limits/networkLimits.ts";
import { openRequestCounts } from "../limits/requestCounts.ts";
import { message } from "../messages.ts";
import type { CallingKey } from "./apiKeys.ts";

/** Requests with keys per minute. `docs/operations.md` explains them. */
export const keyLimits = {
  server: 60_000,
  publishable: 30_000,
  service: 6_000,
  /** With publishable keys from one network. */
  network: 600,
  /** With the same key that doesn't exist, has expired or was revoked. */
  wrongKey: 30,
  /** Of one network, refused because of a wrong key or token. */
  refused: 60,
};

/** Who makes a request: the hash of the key and the network. */
type KeyCaller = { hash: string; network: string };

/** Limits the requests with keys, of sold apps and of service accounts. A key that was accepted before isn't affected by wrong keys of its network. */
export const openKeyLimits = (settings: Parameters<typeof openRequestCounts>[0]) => {
  const counts = openRequestCounts(settings);

  const tooManyWithKey = () => {
    const seconds = counts.secondsLeft();
    const detail = message(
      "key_requests_limited",
      "Too many requests with this API key. Try again in {seconds, plural, one {# second} other {# seconds}}.",
      { seconds },
    );
    return new Problem("too_many_requests", detail, { retryAfterSeconds: seconds });
  };
  const tooManyOfNetwork = () => tooManyFromNetwork(counts.secondsLeft());

  const countNetwork = (network: string) => {
    if (counts.add(`network ${network}`) > keyLimits.network) throw tooManyOfNetwork();
  };

  return {
    /** Before a key is looked up. */
    assertMayTry: ({ hash, network }: KeyCaller) => {
      if (counts.isKnown(`key ${hash}`)) return;
      if (counts.countOf(`wrong ${hash}`) >= keyLimits.wrongKey) throw tooManyWithKey();
      if (counts.countOf(`refused ${network}`) >= keyLimits.refused) throw tooManyOfNetwork();
    },
    /** After the lookup, so that many first requests with a valid key at once aren't taken for guesses. */
    countWrongKey: ({ hash, network }: KeyCaller) => {
      counts.forget(`key ${hash}`);
      const [sameKey, sameNetwork] = [
        counts.add(`wrong ${hash}`),
        counts.add(`refused ${network}`),
      ];
      if (sameKey > keyLimits.wrongKey) throw tooManyWithKey();
      if (sameNetwork > keyLimits.refused) throw tooManyOfNetwork();
    },
    countKey: ({ hash, network }: KeyCaller, kind: CallingKey["kind"] | "service") => {
      if (counts.add(`key ${hash}`) > keyLimits[kind]) throw tooManyWithKey();
      if (kind === "publishable") countNetwork(network);
    },
    /** A publishable key is public, so a wrong token counts like a wrong key. */
    countWrongToken: (network: string) => {
      if (counts.add(`refused ${network}`) > keyLimits.refused) throw tooManyOfNetwork();
    },
    countNetwork,
    settle: counts.settle,
    close: counts.close,
  };
};
export type KeyLimits = ReturnType<typeof openKeyLimits>;
