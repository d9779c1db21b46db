import { count } from "#lib/labels.ts";
import { Moment } from "#ui/Moment.tsx";
import { Callout } from "#ui/page/Callout.tsx";
import type { Details } from "../queries.ts";

/** The provider's answer about a pending payment, and when it is asked again. */
export const Reconciliation = ({ stored }: { stored: Details }) => {
  const { reconciliation, state, provider } = stored;
  if (!reconciliation || (state !== "pending" && state !== "unknown")) return null;
  const { asked, lastAt, lastAnswer, nextAt } = reconciliation;
  return (
    <Callout tone="info" icon="refresh" role="status">
      {provider} was asked {count(asked, "time")}, last <Moment at={lastAt} />. {lastAnswer}{" "}
      {nextAt ? (
        <>
          It is asked again <Moment at={nextAt} />.
        </>
      ) : (
        "It is not asked any more: resolve it by hand."
      )}
    </Callout>
  );
};
