import "./devices.css";
import { Button } from "@mantine/core";
import type { SignInOutcome, SignIns, WayIn } from "@purser/contract/auth/activeSessions";
import { type UseInfiniteQueryResult, useInfiniteQuery } from "@tanstack/react-query";
import { Moment } from "../Moment.tsx";
import { Failed } from "../page/Empty.tsx";
import { Status, type StatusWord } from "../Status.tsx";

type Page = {
  items: (Omit<SignIns["items"][number], "at"> & { at: string })[];
  next: string | null;
};

const outcomeLabels: Record<SignInOutcome, StatusWord> = {
  ok: { word: "Signed in", icon: "circle-check", tone: "ok", quiet: true },
  "wrong credentials": { word: "Not accepted", icon: "circle-x", tone: "warn", quiet: true },
  "wrong code": { word: "Wrong code", icon: "circle-x", tone: "warn", quiet: true },
  "refused by policy": { word: "Refused by policy", icon: "ban", tone: "bad" },
  blocked: { word: "Had to wait", icon: "hourglass", tone: "bad" },
};

const wayLabels: Record<WayIn, string> = {
  password: "password",
  code: "authenticator",
  "recovery code": "recovery code",
  passkey: "passkey",
  company: "company sign-in",
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
  what: string;
  query: UseInfiniteQueryResult<{ pages: Page[] }>;
  /** Shown before "more" is clicked. */
  atFirst?: number;
};

/** Sign-in attempts: method, origin and outcome. */
export const SignInList = ({ what, query, atFirst }: Props) => {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  if (error && !data) return <Failed what={what} error={error} onRetry={() => refetch()} />;
  const pages = data?.pages ?? [];
  const all = pages.flatMap(({ items }) => items);
  if (data && all.length === 0)
    return <p className="soft">Nobody has tried to sign in within the last 400 days.</p>;
  return (
    <>
      <ul className="sign-ins" aria-label={what}>
        {all.slice(0, pages.length === 1 ? atFirst : undefined).map((signIn) => (
          <li key={signIn.id}>
            <div>
              <Status status={outcomeLabels[signIn.outcome]} />
              <Moment at={signIn.at} />
            </div>
            <small>
              {wayLabels[signIn.how]}
              <span className="dot" />
              {signIn.device}
              <span className="dot" />
              {signIn.address}
              {signIn.newDevice && (
                <>
                  <span className="dot" />
                  new device
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
          Show older sign-ins
        </Button>
      )}
    </>
  );
};
