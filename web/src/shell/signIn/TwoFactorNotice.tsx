import "./TwoFactorNotice.css";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { onTwoFactorRequired } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { sessionQuery, useMe } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { Day } from "#ui/Moment.tsx";

/**
 * The deadline may pass while a page is open. The next refused call then leads to the account page.
 */
const useDeadline = () => {
  const navigate = useNavigate();
  useEffect(() => {
    onTwoFactorRequired(async () => {
      const me = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      if (me?.secondFactorDuty?.isDue) void navigate({ to: "/account" });
    });
    return () => onTwoFactorRequired(null);
  }, [navigate]);
};

/** Shown on every page until the user has set up what the policy requires. */
export const TwoFactorNotice = () => {
  const { secondFactorDuty } = useMe();
  const isThere = useLocation({ select: ({ pathname }) => pathname === "/account" });
  useDeadline();
  if (!secondFactorDuty) return null;
  const { dueAt, isDue } = secondFactorDuty;
  return (
    <div className="duty" data-tone={isDue ? "bad" : "warn"} role="status">
      <Icon name="shield-lock" />
      <span>
        {isDue ? (
          "Your role needs a second factor. Add a passkey or an authenticator to go on."
        ) : (
          <>
            Your role needs a second factor. Add a passkey or an authenticator before{" "}
            <Day at={dueAt} />; without one, the office closes to you then.
          </>
        )}
      </span>
      {!isThere && <Link to="/account">Set one up</Link>}
    </div>
  );
};
