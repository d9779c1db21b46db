import { t } from "@lingui/core/macro";
import "../transactions.css";
import { useQuery } from "@tanstack/react-query";
import { Moment } from "#ui/Moment.tsx";
import { Money } from "#ui/money/Money.tsx";
import { isBack, kindLabels, stateLabels } from "#ui/money/transactionLabels.ts";
import { Failed } from "#ui/page/Empty.tsx";
import { Facts, Section } from "#ui/page/Page.tsx";
import { Status } from "#ui/Status.tsx";
import { detailsQuery, type Transaction } from "../queries.ts";
import { Amounts } from "./Amounts.tsx";
import { Rail } from "./Rail.tsx";

/** The list's preview: shows the row's data at once, and the rest when it is loaded. */
export const Overview = ({ stored }: { stored: Transaction }) => {
  const { data, error, refetch } = useQuery(detailsQuery(stored.id));
  const { total, currency, kind, state, occurredAt } = stored;
  return (
    <>
      <Section title={kindLabels[kind]}>
        <Money amount={total} currency={currency} isMinus={isBack(stored)} size="large" />
        <Facts
          of={[
            [t`Status`, <Status key="status" status={stateLabels[state]} />],
            [t`Created`, <Moment key="created" at={occurredAt} />],
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
        <Failed title={t`Couldn't load the details`} error={error} onRetry={() => void refetch()} />
      )}
    </>
  );
};
