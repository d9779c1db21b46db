import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { CallError } from "#lib/api/call.ts";
import { Failed } from "#ui/page/Empty.tsx";
import { NotFoundPage } from "./ErrorPage.tsx";

type Props = {
  id: string;
  error: Error;
  onRetry: () => void;
};

/** The record doesn't exist or couldn't be loaded. */
export const Missing = ({ id, error, onRetry }: Props) =>
  error instanceof CallError && (error.is("not_found") || error.is("invalid")) ? (
    <NotFoundPage>
      <p>
        <Trans>
          No record has the ID <span className="mono">{id}</span>. It may have been deleted, or the
          link is incomplete.
        </Trans>
      </p>
    </NotFoundPage>
  ) : (
    <Failed title={t`Couldn't load this record`} error={error} onRetry={onRetry} />
  );
