import "./transactions.css";
import { useQuery } from "@tanstack/react-query";
import { Failed } from "#ui/Empty.tsx";
import { Moment } from "#ui/Moment.tsx";
import { Money } from "#ui/Money.tsx";
import { Facts, Section } from "#ui/Page.tsx";
import { Status } from "#ui/Status.tsx";
import { isBack, kindWords, stateWords } from "#ui/transactionLabels.ts";
import { Amounts } from "./Amounts.tsx";
import { detailsQuery, type Transaction } from "./queries.ts";
import { Rail } from "./Rail.tsx";

/** A transaction beside the list: what the row knows at once, and the rest as soon as it is read. */
export const Overview = ({ stored }: { stored: Transaction }) => {
  const { data, error, refetch } = useQuery(detailsQuery(stored.id));
  const { total, currency, kind, state, occurredAt } = stored;
  return (
    <>
      <Section title={kindWords[kind]}>
        <Money amount={total} currency={currency} isMinus={isBack(stored)} size="large" />
        <Facts
          of={[
            ["Status", <Status key="status" status={stateWords[state]} />],
            ["Created", <Moment key="created" at={occurredAt} />],
          ]}
        />
      </Section>
      {data && (
        <>
          <Amounts stored={data} />
          <Rail stored={data} />
        </>
      )}
      {error && !data && (
        <Failed what="The rest of it" error={error} onRetry={() => void refetch()} />
      )}
    </>
  );
};
