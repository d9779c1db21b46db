import type { Query } from "../../../server/src/modules/transactions/testing/invariants.testing.ts";
import { emailStart } from "./customers.ts";
import type { Done } from "./model.ts";

/** Beginnings of operations. Of each, one must have been accepted. */
const wanted = [
  "record draft",
  "record pending",
  "record succeeded",
  "submit",
  "resolve",
  "refund",
  "dispute",
  "pause",
  "resume",
  "cancel",
  "money: record succeeded",
  "money: resolve succeeded after",
  "money: report succeeded",
  "money: change package at now",
  "money: change package at period end",
  "money: change quantity at now",
  "money: change/withdraw",
  "money: pause",
  "money: resume",
  "money: add balance",
  "money: remove balance",
  "money: refund full",
  "money: refund unused",
  "money: refund amount",
  "money: disputed",
  "money: dispute won",
  "money: dispute lost",
];

const facts = `
  select 'a renewal of a customer with a balance or changes' as fact, exists (
    select from transactions t join users u on u.id = t.user_id
    where t.kind = 'renewal' and starts_with(u.email, '${emailStart}')) as "isReached"
  union all select 'a payment from the balance', exists (
    select from balance_entries where kind = 'payment')
  union all select 'a tax that is added', exists (
    select from transaction_lines l join transactions t on t.id = l.transaction_id
    where l.tax_treatment = 'rate' and not t.tax_included)
  union all select 'a tax that is included', exists (
    select from transaction_lines l join transactions t on t.id = l.transaction_id
    where l.tax_treatment = 'rate' and t.tax_included)
  union all select 'a reverse charge', exists (
    select from transaction_lines where tax_treatment = 'reverse charge')
  union all select 'an invoice', exists (select from documents where kind = 'invoice')`;

/** Below this number rare operations may be missing by chance. */
const operationsMin = 1500;

/** What the run should have contained but didn't. Without it, "no violations" says nothing. */
export const findMissing = async (query: Query, done: readonly Done[]) => {
  if (done.length < operationsMin) {
    const accepted = done.filter(({ isDone }) => isDone).length;
    return accepted * 2 > done.length ? [] : ["Most operations were refused."];
  }
  const accepted = new Set(done.filter(({ isDone }) => isDone).map(({ operation }) => operation));
  const missing = wanted.filter(
    (beginning) => ![...accepted].some((operation) => operation.startsWith(beginning)),
  );
  const reached = await query<{ fact: string; isReached: boolean }>(facts);
  return [
    ...missing.map((name) => `No operation "${name}" was accepted.`),
    ...reached.flatMap(({ fact, isReached }) => (isReached ? [] : [`The run lacks ${fact}.`])),
  ];
};
