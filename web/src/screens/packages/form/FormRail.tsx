import { plural, t } from "@lingui/core/macro";
import type { ReactNode } from "react";
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
      <Section title={t`Preview for buyers`}>
        <BuyerTicket
          name={values.name}
          description={values.description}
          prices={prices}
          trialDays={typeof values.trialDays === "number" ? values.trialDays : 0}
          lines={
            stored && stored.apps > 0
              ? [plural(stored.apps, { one: "# app", other: "# apps" })]
              : []
          }
        />
      </Section>
      <Section title={title}>{children}</Section>
    </>
  );
};
