import { t } from "@lingui/core/macro";
import "./transactions.css";
import { useDebouncedValue } from "@mantine/hooks";
import { transactionFields } from "@purser/contract/transactions/fields";
import { createTransaction } from "@purser/contract/transactions/sales";
import { userFields } from "@purser/contract/users/fields";
import { useQuery } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { CallError, call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { money } from "#lib/intl.ts";
import { useMay } from "#lib/session/session.ts";
import { currentTime } from "#lib/time/currentTime.ts";
import { localDateTime } from "#lib/time/localTime.ts";
import { toFormLabels } from "#ui/form/Field.tsx";
import { RecordPage } from "#ui/form/RecordPage.tsx";
import { useRecordForm } from "#ui/form/useRecordForm.ts";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { toast } from "#ui/popups/toast.ts";
import { SaleForm } from "./form/SaleForm.tsx";
import { SaleRail } from "./form/SaleRail.tsx";
import { forgetKey, keptClock, saleIdempotencyKey } from "./form/saleIdempotencyKey.ts";
import {
  bodyOf,
  companyZone,
  emptySale,
  type SaleValues,
  saleForm,
  saleOf,
} from "./form/values.ts";
import {
  quoteQuery,
  type SaleBody,
  type SaleQuote,
  type Transaction,
  transactionsChanged,
} from "./queries.ts";

const quoteMs = 300;

const saleFields = { ...transactionFields, email: userFields.email };

const formLabels = toFormLabels<SaleValues, typeof saleFields>(saleFields, {
  packageId: { label: saleFields.package.label },
  quantity: { label: t`Quantity` },
  addOns: { label: t`Add-ons` },
  codes: { label: t`Promotion codes` },
  acceptRejectedCodes: { label: t`Price without these codes` },
  isTaxManual: { label: t`Enter tax manually` },
  manualTax: { label: t`Tax` },
  taxReason: { label: t`Reason for the tax` },
  useBalance: { label: t`Pay from the balance first` },
  isNoDuplicate: { label: t`This is a separate sale` },
});

/** Shows a message above the form, as for a refusal of the server. */
const refuse = (detail: string): never => {
  throw new CallError({ type: "about:blank", title: "", status: 0, detail, requestId: "" });
};

/** The quote that was shown; a sale is never recorded at a price that wasn't. */
const shownQuote = async (sale: SaleBody): Promise<SaleQuote> => {
  const query = quoteQuery(sale);
  const shown = queryClient.getQueryData(query.queryKey);
  if (shown) return shown;
  const { quote } = await queryClient.fetchQuery(query);
  const price = money(quote.total, quote.currency);
  return refuse(t`The price is ${price}. Review it, then record the transaction.`);
};

/** Whether the shown price may be out of date, such as after a code ended. */
const isOutdated = (error: CallError) =>
  error.is("impact_changed") || error.is("duplicate") || error.is("wrong_state");

const record = async (values: SaleValues): Promise<Transaction> => {
  const sale = saleOf(values) ?? refuse(t`Fill in the required fields.`);
  const body = bodyOf(values, sale, await shownQuote(sale));
  const key = saleIdempotencyKey(body, values.occurredAt);
  try {
    const made = await call(createTransaction, { body, key });
    forgetKey();
    return made;
  } catch (error) {
    // Without a reply the sale may have been recorded, so a retry keeps its key.
    if (error instanceof CallError && error.problem.status > 0) forgetKey();
    if (error instanceof CallError && isOutdated(error))
      await queryClient.invalidateQueries({ queryKey: ["transactions", "quote"] });
    throw error;
  }
};

const useQuote = (values: SaleValues) => {
  const sale = saleOf(values);
  const [requested] = useDebouncedValue(JSON.stringify(sale), quoteMs);
  const body: SaleBody | null = JSON.parse(requested);
  const { data, error, isPlaceholderData } = useQuery(quoteQuery(body));
  const isLate = requested !== JSON.stringify(sale) || isPlaceholderData;
  return { quote: (sale && data) ?? null, error: sale ? error : null, isLate };
};

const NewTransaction = () => {
  const router = useRouter();
  const { email = "", package: packageId = "" } = useSearch({ from: "/transaction/create" });
  const [values] = useState(() => ({
    ...emptySale(keptClock() ?? localDateTime(companyZone, currentTime())),
    email,
    packageId,
  }));
  const sent = useRef(values);
  const form = useRecordForm<SaleValues, Transaction>({
    draft: "transactions-create",
    schema: saleForm,
    // Version 0: nothing is stored yet.
    stored: { values, version: 0 },
    valuesOf: ({ version }) => ({ values: sent.current, version }),
    save: (given) => {
      sent.current = given;
      return record(given);
    },
    onSaved: (saved) => {
      void transactionsChanged();
      const { id, number } = saved;
      toast(t`${number} recorded`);
      void router.navigate({ to: "/transaction/view/$id", params: { id }, replace: true });
    },
  });
  const { quote, error, isLate } = useQuote(form.form.values);
  const sale = saleOf(form.form.values);
  return (
    <RecordPage
      {...(sale &&
        quote && {
          wanted: (given: SaleValues) => ({
            operation: "POST /transactions",
            params: {},
            body: bodyOf(given, sale, quote),
          }),
        })}
      record={form}
      words={formLabels}
      fields={saleFields}
      title={t`New transaction`}
      parent={{ label: t`Transactions`, to: "/transaction" }}
      saveLabel={t`Record transaction`}
      rail={<SaleRail quote={quote} error={error} isLate={isLate} state={form.form.values.state} />}
    >
      <SaleForm record={form} quote={quote} />
    </RecordPage>
  );
};

export const CreateTransaction = () =>
  useMay("transactions:write") ? <NewTransaction /> : <Forbidden permission="transactions:write" />;
