import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import "./Empty.css";
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { CallError } from "#lib/api/call.ts";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { Icon } from "../Icon.tsx";
import type { IconName } from "../iconNames.ts";
import { Reference } from "../record/Reference.tsx";

/** The illustration of empty states. */
const Stub = () => (
  <svg width="132" height="76" viewBox="0 0 132 76" fill="none" className="stub" aria-hidden="true">
    <path
      className="stub-shape"
      d="M6 1h86a6 6 0 0 0 12 0h22a5 5 0 0 1 5 5v64a5 5 0 0 1-5 5h-22a6 6 0 0 0-12 0H6a5 5 0 0 1-5-5V6a5 5 0 0 1 5-5Z"
    />
    <path d="M98 13v50" strokeDasharray="2 4" />
    <path className="stub-line" d="M14 20h34M14 34h62M14 44h62M14 54h40" />
    <path className="stub-accent" d="M110 24h12M110 32h12M110 40h8" />
  </svg>
);

type Props = {
  icon?: IconName;
  title: string;
  /** Instead of a heading of the second level, if it is the whole page. */
  heading?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
};

/** An empty state: why there is nothing, and what to do next. */
export const Empty = ({ icon, title, heading, children, actions }: Props) => (
  <div className="empty">
    {icon ? (
      <span className="empty-sign">
        <Icon name={icon} size={22} />
      </span>
    ) : (
      <Stub />
    )}
    {heading ?? <h2>{title}</h2>}
    <div className="empty-text">{children}</div>
    {actions && <div className="empty-actions">{actions}</div>}
  </div>
);

const requestOf = (error: Error) => (error instanceof CallError ? error.problem.requestId : "");

/** An error state with the error ID and a retry button. */
export const Failed = ({
  title,
  error,
  onRetry,
  heading,
}: {
  /** The whole sentence: "Couldn't load API keys". */
  title: string;
  error: Error;
  onRetry: () => void;
  heading?: ReactNode;
}) => {
  if (!(error instanceof UserFacingError)) throw error;
  const report = requestOf(error);
  return (
    <div role="alert">
      <Empty
        icon="wifi-off"
        title={title}
        heading={heading}
        actions={<Button onClick={onRetry}>{t`Try again`}</Button>}
      >
        <p>{error.message}</p>
        {report && (
          <p>
            <Trans>
              Error ID <Reference value={report} copyLabel={t`Copy error ID`} />
            </Trans>
          </p>
        )}
      </Empty>
    </div>
  );
};
