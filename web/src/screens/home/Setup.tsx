import { t } from "@lingui/core/macro";
import type { Permission } from "@purser/contract/auth/permissions";
import type { SetupStep } from "@purser/contract/reports/home";
import { Link } from "@tanstack/react-router";
import { useMe } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { Section } from "#ui/page/Page.tsx";

type Texts = { title: string; text: string; verb: string; to: string; permission?: Permission };

const texts: Record<SetupStep, Texts> = {
  account: {
    title: t`Secure your account`,
    text: t`Add a passkey or an authenticator app.`,
    verb: t`Set up 2FA`,
    to: "/account",
  },
  company: {
    title: t`Add company details`,
    text: t`Name, address and tax number for invoices.`,
    verb: t`Open settings`,
    to: "/settings",
    permission: "settings:write",
  },
  app: {
    title: t`Create your first app`,
    text: t`An app is a product you sell.`,
    verb: t`New app`,
    to: "/apps/create",
    permission: "apps:write",
  },
  feature: {
    title: t`Add features`,
    text: t`A feature is anything a package can turn on or limit.`,
    verb: t`New feature`,
    to: "/feature/create",
    permission: "features:write",
  },
  package: {
    title: t`Create and publish a package`,
    text: t`Set prices for each currency and choose what's included.`,
    verb: t`New package`,
    to: "/package/create",
    permission: "packages:write",
  },
  payment: {
    title: t`Record the first payment`,
    text: t`Through a payment provider, or manually.`,
    verb: t`New transaction`,
    to: "/transaction/create",
    permission: "transactions:write",
  },
  key: {
    title: t`Check access from your app`,
    text: t`Create an API key and make the first check.`,
    verb: t`Open apps`,
    to: "/apps",
    permission: "apps:keys",
  },
  team: {
    title: t`Invite your team`,
    text: t`Support, finance and developers each get their own role.`,
    verb: t`Invite`,
    to: "/users/create",
    permission: "team:write",
  },
};

type Step = { step: SetupStep; isDone: boolean };

const mayDo = (step: SetupStep, permissions: readonly Permission[]) => {
  const { permission } = texts[step];
  return !permission || permissions.includes(permission);
};

/** Whether the setup of the company has steps that the user can do. Their own account is asked for elsewhere, too. */
export const hasOpenSteps = (steps: readonly Step[], permissions: readonly Permission[]) =>
  steps.some(({ step, isDone }) => !isDone && step !== "account" && mayDo(step, permissions));

/** The setup, whose steps are done by real data. The next open one is in the foreground. */
export const Setup = ({ steps, onHide }: { steps: readonly Step[]; onHide: () => void }) => {
  const { permissions } = useMe();
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.find(({ isDone }) => !isDone)?.step;
  return (
    <Section
      title={t`Setup`}
      note={t`${done} of ${steps.length} done`}
      actions={
        <button
          type="button"
          className="step-action"
          data-tip={t`Open it again from your account menu`}
          onClick={onHide}
        >
          {t`Hide setup`}
        </button>
      }
    >
      <ol className="setup">
        {steps.map(({ step, isDone }, place) => {
          const { title, text, verb, to } = texts[step];
          return (
            <li
              key={step}
              {...(isDone && { "data-done": true })}
              {...(step === next && { "data-next": true })}
            >
              <span className="setup-mark">
                {isDone ? <Icon name="check" size={14} /> : place + 1}
              </span>
              <div>
                {title} {isDone && <span className="unseen">{t`Done`}</span>}
                <small>{text}</small>
              </div>
              {!isDone && mayDo(step, permissions) && (
                <Link to={to as "/"} className="step-action">
                  {verb}
                </Link>
              )}
            </li>
          );
        })}
      </ol>
    </Section>
  );
};
