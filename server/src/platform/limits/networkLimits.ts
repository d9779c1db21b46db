import { Problem } from "../http/problem.ts";
import { message } from "../messages.ts";
import { openRequestCounts } from "./requestCounts.ts";

export const tooManyFromNetwork = (seconds: number) =>
  new Problem(
    "too_many_requests",
    message(
      "requests_limited",
      "Too many requests from your network. Try again in {seconds, plural, one {# second} other {# seconds}}.",
      { seconds },
    ),
    { retryAfterSeconds: seconds },
  );

/** Limits anonymous requests per minute. Without Redis each instance counts for itself. */
export const openNetworkLimits = (settings: Parameters<typeof openRequestCounts>[0]) => {
  const counts = openRequestCounts(settings);
  return {
    /** Counts a request of a network and refuses it above the limit. */
    count: (what: string, network: string, max: number) => {
      if (counts.add(`anonymous ${what} ${network}`) > max)
        throw tooManyFromNetwork(counts.secondsLeft());
    },
    /** Counts a request of any network and returns how many there were in this minute. */
    countAll: (what: string) => counts.add(`all ${what}`),
    secondsLeft: counts.secondsLeft,
    close: counts.close,
  };
};
export type NetworkLimits = ReturnType<typeof openNetworkLimits>;
