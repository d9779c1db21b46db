import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { Moment } from "#ui/Moment.tsx";
import { Callout } from "#ui/page/Callout.tsx";
import type { Details } from "../queries.ts";

/** The provider's answer about a pending payment, and when it is checked again. */
export const Reconciliation = ({ stored }: { stored: Details }) => {
  const { reconciliation, state, provider } = stored;
  if (!reconciliation || (state !== "pending" && state !== "unknown")) return null;
  const { attempts, lastAt, lastAnswer, nextAt } = reconciliation;
  return (
    <Callout tone="info" icon="refresh" role="status">
      <Trans>
        Checked with {provider} <Plural value={attempts} one="# time" other="# times" />, last{" "}
        <Moment at={lastAt} />.
      </Trans>{" "}
      {lastAnswer}{" "}
      {nextAt ? (
        <Trans>
          Next check <Moment at={nextAt} />.
        </Trans>
      ) : (
        t`No more checks are planned. Resolve the payment manually.`
      )}
    </Callout>
  );
};
