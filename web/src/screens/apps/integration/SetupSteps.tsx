import { plural, t } from "@lingui/core/macro";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { Day } from "#ui/Moment.tsx";
import { showDay } from "#ui/reports/period.ts";
import type { Integration } from "./queries.ts";

type Setup = Integration["setup"];

type StepProps = { title: string; isDone: boolean; children: ReactNode };

const Step = ({ title, isDone, children }: StepProps) => (
  <li data-done={isDone || undefined}>
    <Icon name={isDone ? "circle-check" : "circle-dashed"} />
    <div>
      <b>
        {title}
        <span className="unseen">{isDone ? t`, done` : t`, open`}</span>
      </b>
      <small>{children}</small>
    </div>
  </li>
);

const keysText = ({ keys }: Setup) =>
  keys > 0 ? plural(keys, { one: "# active key", other: "# active keys" }) : null;

const UsageNote = ({ setup: { firstUsageDay, countedFeatures } }: { setup: Setup }) => {
  if (firstUsageDay) return showDay(firstUsageDay);
  return countedFeatures > 0
    ? plural(countedFeatures, { one: "# counted feature", other: "# counted features" })
    : t`No counted features`;
};

const WebhookNote = ({ setup: { webhookConfirmedAt, webhookEndpoints } }: { setup: Setup }) => {
  const mayRead = useMay("webhooks:read");
  if (webhookConfirmedAt) return <Day at={webhookConfirmedAt} />;
  if (webhookEndpoints > 0 || !mayRead) return t`No confirmed events yet`;
  return (
    <Link to="/webhook" className="sentence-link">
      {t`Add endpoint`}
    </Link>
  );
};

/** The steps to connect the app. Each is done once its data arrives. */
export const SetupSteps = ({ setup }: { setup: Setup }) => (
  <ol className="setup-steps" aria-label={t`Setup`}>
    <Step title={t`Create API key`} isDone={setup.keys > 0 || setup.firstCheckAt !== null}>
      {keysText(setup) ?? (
        <Link to="." search={{} as never} className="sentence-link">
          {t`Open API keys`}
        </Link>
      )}
    </Step>
    <Step title={t`Make the first check`} isDone={setup.firstCheckAt !== null}>
      {setup.firstCheckAt ? <Day at={setup.firstCheckAt} /> : t`No checks yet`}
    </Step>
    <Step title={t`Handle “no” in the app`} isDone={setup.firstDeniedAt !== null}>
      {setup.firstDeniedAt ? <Day at={setup.firstDeniedAt} /> : t`No denials yet`}
    </Step>
    <Step title={t`Report usage`} isDone={setup.firstUsageDay !== null}>
      <UsageNote setup={setup} />
    </Step>
    <Step title={t`Receive webhooks`} isDone={setup.webhookConfirmedAt !== null}>
      <WebhookNote setup={setup} />
    </Step>
  </ol>
);
