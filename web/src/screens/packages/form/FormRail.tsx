import type { ReactNode } from "react";
import { count } from "#lib/labels.ts";
import { Section } from "#ui/page/Page.tsx";
import { BuyerTicket } from "../BuyerTicket.tsx";
import type { Package } from "../queries.ts";
import type { PackageValues } from "./values.ts";

type Props = { values: PackageValues; stored: Package | null; title: string; children: ReactNode };

/** Next to the form: a preview for buyers, and the effect of saving. */
export const FormRail = ({ values, stored, title, children }: Props) => {
  const prices = values.prices.flatMap(({ amount, intervalCount, ...rest }) =>
    typeof amount === "number" && typeof intervalCount === "number"
      ? [{ ...rest, amount, intervalCount }]
      : [],
  );
  return (
    <>
      <Section title="As a buyer sees it">
        <BuyerTicket
          name={values.name}
          description={values.description}
          prices={prices}
          trialDays={typeof values.trialDays === "number" ? values.trialDays : 0}
          lines={stored && stored.apps > 0 ? [count(stored.apps, "app")] : []}
        />
      </Section>
      <Section title={title}>{children}</Section>
    </>
  );
};
