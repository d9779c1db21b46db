import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import "./TwoFactorNotice.css";
import { Link, useLocation } from "@tanstack/react-router";
import { useMe } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { Day } from "#ui/Moment.tsx";

/** Shown on every page until the user has set up what the policy requires. */
export const TwoFactorNotice = () => {
  const { twoFactorRequirement, passkeyRequiredFrom } = useMe();
  const isThere = useLocation({ select: ({ pathname }) => pathname === "/account" });
  if (passkeyRequiredFrom)
    return (
      <div className="two-factor-notice" data-tone="warn" role="status">
        <Icon name="shield-lock" />
        <span>
          <Trans>
            From <Day at={passkeyRequiredFrom} />, you need your passkey to sign in. If you lost it,
            remove it before then.
          </Trans>
        </span>
        {!isThere && <Link to="/account">{t`Review passkeys`}</Link>}
      </div>
    );
  if (!twoFactorRequirement) return null;
  const { dueAt, isDue } = twoFactorRequirement;
  return (
    <div className="two-factor-notice" data-tone={isDue ? "bad" : "warn"} role="status">
      <Icon name="shield-lock" />
      <span>
        {isDue ? (
          t`Your role requires two-factor authentication. Add a passkey or an authenticator app to continue.`
        ) : (
          <Trans>
            Your role requires two-factor authentication. Set it up before <Day at={dueAt} /> to
            keep your access.
          </Trans>
        )}
      </span>
      {!isThere && <Link to="/account">{t`Set up`}</Link>}
    </div>
  );
};
