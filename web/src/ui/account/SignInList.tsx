import { t } from "@lingui/core/macro";
import "./devices.css";
import { Button } from "@mantine/core";
import type { SignInMethod, SignInOutcome, SignIns } from "@purser/contract/auth/activeSessions";
import { type UseInfiniteQueryResult, useInfiniteQuery } from "@tanstack/react-query";
import { messageText } from "#lib/serverMessages.ts";
import { Moment } from "../Moment.tsx";
import { Failed } from "../page/Empty.tsx";
import { Status, type StatusWord } from "../Status.tsx";

type Page = {
  items: (Omit<SignIns["items"][number], "at"> & { at: string })[];
  next: string | null;
};

const outcomeLabels: Record<SignInOutcome, StatusWord> = {
  ok: { word: t`Signed in`, icon: "circle-check", tone: "ok", quiet: true },
  "wrong credentials": { word: t`Wrong credentials`, icon: "circle-x", tone: "warn", quiet: true },
  "wrong code": { word: t`Wrong code`, icon: "circle-x", tone: "warn", quiet: true },
  "refused by policy": { word: t`Blocked by policy`, icon: "ban", tone: "bad" },
  blocked: { word: t`Rate limited`, icon: "hourglass", tone: "bad" },
};

const wayLabels: Record<SignInMethod, string> = {
  password: t`Password`,
  code: t`Authenticator app`,
  "recovery code": t`Recovery code`,
  passkey: t`Passkey`,
  sso: t`Single sign-on`,
  "demo link": t`Demo link`,
};

/** Sign-in attempts, newest first, page by page. */
export const useSignIns = (
  key: readonly unknown[],
  ask: (query: { after?: string }) => Promise<Page>,
) =>
  useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => ask(pageParam === null ? {} : { after: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });

type Props = {
  label: string;
  query: UseInfiniteQueryResult<{ pages: Page[] }>;
  /** Shown before "more" is clicked. */
  atFirst?: number;
};

/** Sign-in attempts: method, origin and outcome. */
export const SignInList = ({ label, query, atFirst }: Props) => {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  if (error && !data)
    return <Failed title={t`Couldn't load sign-ins`} error={error} onRetry={() => refetch()} />;
  const pages = data?.pages ?? [];
  const all = pages.flatMap(({ items }) => items);
  if (data && all.length === 0) return <p className="soft">{t`No sign-in attempts yet.`}</p>;
  return (
    <>
      <ul className="sign-ins" aria-label={label}>
        {all.slice(0, pages.length === 1 ? atFirst : undefined).map((signIn) => (
          <li key={signIn.id}>
            <div>
              <Status status={outcomeLabels[signIn.outcome]} />
              <Moment at={signIn.at} />
            </div>
            <small>
              {wayLabels[signIn.how]}
              <span className="dot" />
              {messageText(signIn.device)}
              <span className="dot" />
              {signIn.address}
              {signIn.newDevice && (
                <>
                  <span className="dot" />
                  {t`New device`}
                </>
              )}
            </small>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button
          variant="default"
          size="xs"
          aria-busy={isFetchingNextPage}
          onClick={() => fetchNextPage()}
        >
          {t`Load more`}
        </Button>
      )}
    </>
  );
};
