import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { number } from "#lib/intl.ts";
import { messageText } from "#lib/serverMessages.ts";
import { Moment } from "#ui/Moment.tsx";
import { verificationQuery } from "./queries.ts";

/** The result and time of the last audit log verification. */
export const Verification = () => {
  const { data } = useQuery(verificationQuery);
  if (!data) return null;
  const { sealed, verified } = data;
  const broken = verified?.broken;
  const upTo = number(Number(verified?.upToEntry ?? 0));
  return (
    <>
      {broken ? (
        <span className="bad" role="alert">
          {t`Audit log verification failed. ${{ fault: messageText(broken) }}`}
        </span>
      ) : verified ? (
        <span>
          <Trans>
            Verified up to entry {upTo} <span className="dot" /> <Moment at={verified.at} />
          </Trans>
        </span>
      ) : (
        t`Integrity check runs nightly`
      )}
      <span className="wide-only">
        <span className="dot" />
        {sealed ? (
          <Trans>
            Last signed <Moment at={sealed.at} />
          </Trans>
        ) : (
          t`Not signed yet`
        )}
      </span>
    </>
  );
};
