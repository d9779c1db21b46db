import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { CallError } from "#lib/api/call.ts";
import { incidentOf } from "#lib/page/incidents.ts";
import { Failed } from "#ui/page/Empty.tsx";
import { PageHeading } from "#ui/page/PageHeading.tsx";
import { FailurePage, NotFoundPage } from "./ErrorPage.tsx";

type Props = {
  id: string;
  error: Error;
  onRetry: () => void;
};

/** The record doesn't exist or couldn't be loaded. */
export const Missing = ({ id, error, onRetry }: Props) => {
  if (error instanceof CallError && (error.is("not_found") || error.is("invalid")))
    return (
      <NotFoundPage>
        <p>
          <Trans>
            No record has the ID <span className="mono">{id}</span>. It may have been deleted, or
            the link is incomplete.
          </Trans>
        </p>
      </NotFoundPage>
    );
  if (error instanceof CallError && error.problem.status >= 500)
    return (
      <FailurePage incident={incidentOf(error)} onRetry={onRetry}>
        <p>{error.message}</p>
      </FailurePage>
    );
  const title = t`Couldn't load this record`;
  return (
    <Failed title={title} heading={<PageHeading title={title} />} error={error} onRetry={onRetry} />
  );
};
