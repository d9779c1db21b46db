import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { onTwoFactorRequired } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { sessionQuery } from "#lib/session/session.ts";

/**
 * The deadline may pass while a page is open. The next refused call then leads to the account page.
 */
export const useTwoFactorDeadline = () => {
  const navigate = useNavigate();
  useEffect(() => {
    onTwoFactorRequired(async () => {
      const me = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      if (me?.twoFactorRequirement?.isDue) void navigate({ to: "/account" });
    });
    return () => onTwoFactorRequired(null);
  }, [navigate]);
};
