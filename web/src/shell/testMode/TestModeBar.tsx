import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import "./TestModeBar.css";
import { Button } from "@mantine/core";
import { allows } from "@purser/contract/auth/permissions";
import { getTestClock, moveTestClock } from "@purser/contract/testMode/endpoints";
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { runtime } from "#lib/page/runtime.ts";
import { useMe } from "#lib/session/session.ts";
import { setCurrentTime } from "#lib/time/currentTime.ts";
import { dayMs } from "#lib/time/dates.ts";
import { Icon } from "#ui/Icon.tsx";
import { Day } from "#ui/Moment.tsx";

const movingMs = 1000;

const clockQuery = queryOptions({
  queryKey: ["testClock"],
  queryFn: async ({ signal }) => {
    const clock = await call(getTestClock, { signal });
    setCurrentTime(clock.now);
    return clock;
  },
  refetchInterval: ({ state }) => (state.data?.move ? movingMs : false),
});

type Clock = Awaited<ReturnType<NonNullable<typeof clockQuery.queryFn>>>;

const steps = [1, 31, 366];

/** Everything on the page may have changed once the clock has arrived. */
const useArrival = (isMoving: boolean) => {
  const wasMoving = useRef(isMoving);
  useEffect(() => {
    if (wasMoving.current && !isMoving) void queryClient.invalidateQueries();
    wasMoving.current = isMoving;
  }, [isMoving]);
};

const MoveButtons = ({ now, isMoving }: { now: string; isMoving: boolean }) => {
  const move = useMutation({
    mutationFn: (days: number) =>
      call(moveTestClock, {
        body: { to: new Date(Date.parse(now) + days * dayMs).toISOString() },
        key: crypto.randomUUID(),
      }),
    onSettled: () => queryClient.invalidateQueries(clockQuery),
  });
  const isOff = isMoving || move.isPending;
  return (
    <fieldset className="test-moves" aria-label={t`Move the clock forward`}>
      <span>{t`Move clock`}</span>
      {steps.map((days) => (
        <Button
          key={days}
          size="compact-sm"
          variant="default"
          // Not disabled, because disabling it would lose the focus.
          aria-disabled={isOff}
          onClick={() => !isOff && move.mutate(days)}
        >
          {plural(days, { one: "# day", other: "# days" })}
        </Button>
      ))}
      {move.error && <span role="alert">{move.error.message}</span>}
    </fieldset>
  );
};

const ClockText = ({ clock: { now, move, failure } }: { clock: Clock }) => {
  if (move)
    return (
      <Trans>
        Moving the clock to <Day at={move.to} /> (now <Day at={now} />)
      </Trans>
    );
  if (failure === null)
    return (
      <Trans>
        Clock: <Day at={now} />
      </Trans>
    );
  return (
    <Trans>
      The clock stopped at <Day at={now} />. {failure} Move it again to continue.
    </Trans>
  );
};

/** Above every page of test mode. */
export const TestModeBar = () => {
  const { data: clock } = useQuery(clockQuery);
  const me = useMe();
  const isMoving = Boolean(clock?.move);
  useArrival(isMoving);
  return (
    <section className="test-bar" aria-label={t`Test mode`}>
      <Icon name="flask" />
      <span>
        <b>{t`Test mode`}</b>{" "}
        <span className="test-about">{t`No money moves and no emails are sent to customers.`}</span>
      </span>
      <span role="status">{clock && <ClockText clock={clock} />}</span>
      {clock && allows(me.role, "jobs:write") && (
        <MoveButtons now={clock.now} isMoving={isMoving} />
      )}
      <Button
        component="a"
        href={runtime.otherMode}
        size="compact-sm"
        variant="default"
        className="test-leave"
      >
        {t`Exit test mode`}
      </Button>
    </section>
  );
};
