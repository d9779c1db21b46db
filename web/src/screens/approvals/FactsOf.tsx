import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { Facts } from "#ui/page/Page.tsx";
import { Diff } from "#ui/record/Diff.tsx";
import { changesIn, factRows, factsBesides } from "./facts.ts";
import type { Approval } from "./queries.ts";

/** Everything that the request would do: values before and after, then the other facts. */
export const FactsOf = ({ approval: { rule, facts } }: { approval: Approval }) => {
  const zone = useTimeZone();
  // Texts of users, such as reasons, may have an arrow too.
  const changes = rule === "safeguard" ? changesIn(facts) : [];
  const others = factRows(factsBesides(facts, changes), zone);
  return (
    <>
      {changes.length > 0 && <Diff changes={changes} />}
      {others.length > 0 && <Facts of={others} />}
    </>
  );
};
