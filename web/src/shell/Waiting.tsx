import { useQuery } from "@tanstack/react-query";
import { number } from "#lib/words.ts";
import { waitingQuery } from "./waitingQuery.ts";

/** How many payments only a person can settle. */
export const Waiting = () => {
  const { data } = useQuery(waitingQuery);
  const waiting = data ? data.unknown.count + data.disputed.count : 0;
  if (waiting === 0) return null;
  return (
    <em>
      {number(waiting)}
      <span className="unseen"> wait for somebody</span>
    </em>
  );
};
