import type { DocumentContent, DocumentLine, TaxSummary } from "@purser/contract/documents/content";
import { exponentOf } from "@purser/contract/fields/amounts";

type Value = string | number | boolean | null;
/** Where a content contradicts itself. */
export type Difference = { path: string; expected: Value; found: Value };
type Check = readonly [path: string, expected: Value, found: Value];

/** NaN, which equals no amount, if the exact sum doesn't fit in a number. */
const sumOf = (amounts: readonly number[]) =>
  amounts.reduce((sum, amount) => (Number.isSafeInteger(sum + amount) ? sum + amount : NaN), 0);

/** The part of a line or of the totals that prices and discounts are in. */
const priced = (
  { taxIncluded }: DocumentContent,
  { net, gross }: { net: number; gross: number },
) => (taxIncluded ? gross : net);

const rateChecks = (
  path: string,
  { taxCategory, taxRate, tax }: DocumentLine | TaxSummary,
): Check[] =>
  taxCategory === "S"
    ? [[`${path}.taxRate`, true, taxRate > 0]]
    : [
        [`${path}.taxRate`, 0, taxRate],
        [`${path}.tax`, 0, tax],
      ];

const lineChecks = (content: DocumentContent): Check[] =>
  content.lines.flatMap((line, place): Check[] => {
    const path = `lines.${place}`;
    const { quantity, unitAmount, discount, net, tax, gross } = line;
    const checks: Check[] = [
      [`${path}.quantity`, true, quantity !== 0],
      ...rateChecks(path, line),
      [`${path}.gross`, sumOf([net, tax]), gross],
    ];
    if (unitAmount === null) return checks;
    const part = content.taxIncluded ? "gross" : "net";
    return [...checks, [`${path}.${part}`, sumOf([quantity * unitAmount, -discount]), line[part]]];
  });

const sameTax = (one: DocumentLine | TaxSummary, other: DocumentLine | TaxSummary) =>
  one.taxCategory === other.taxCategory && one.taxRate === other.taxRate;

/** What the validators of EN 16931 tolerate (BR-CO-17), or the rounding of each line if that is more. */
const toleranceOf = (lines: readonly DocumentLine[], currency: string) =>
  Math.max(10 ** exponentOf(currency), lines.length);

const taxChecks = (content: DocumentContent): Check[] =>
  content.taxes.flatMap((summary, place): Check[] => {
    const path = `taxes.${place}`;
    const lines = content.lines.filter((line) => sameTax(line, summary));
    const first = content.taxes.findIndex((other) => sameTax(other, summary));
    const byRate = (summary.net * summary.taxRate) / 10_000;
    const off = Math.abs(summary.tax - byRate);
    return [
      [path, `taxes.${first}`, path],
      [`${path}.taxName`, lines[0]?.taxName ?? null, summary.taxName],
      ...rateChecks(path, summary),
      [`${path}.net`, sumOf(lines.map(({ net }) => net)), summary.net],
      [`${path}.tax`, sumOf(lines.map(({ tax }) => tax)), summary.tax],
      [`${path}.taxRate`, true, off <= toleranceOf(lines, content.currency)],
    ];
  });

const totalChecks = (content: DocumentContent): Check[] => {
  const { lines, totals, payments } = content;
  const discount = sumOf(lines.map((line) => line.discount));
  const untaxed = lines.find((line) => !content.taxes.some((summary) => sameTax(summary, line)));
  return [
    ["taxes", null, untaxed ? `${untaxed.taxCategory} ${untaxed.taxRate}` : null],
    ["totals.discount", discount, totals.discount],
    [
      "totals.subtotal",
      sumOf([...lines.map((line) => priced(content, line)), discount]),
      totals.subtotal,
    ],
    ["totals.net", sumOf(lines.map(({ net }) => net)), totals.net],
    ["totals.tax", sumOf(lines.map(({ tax }) => tax)), totals.tax],
    ["totals.gross", sumOf([totals.net, totals.tax]), totals.gross],
    ["due", sumOf([totals.gross, ...payments.map(({ amount }) => -amount)]), content.due],
  ];
};

const legalChecks = ({ kind, corrects, seller, buyer, taxes, ...content }: DocumentContent) => {
  const categories = taxes.map(({ taxCategory }) => taxCategory);
  const isReverseCharge = categories.includes("AE");
  const isInvoice = kind === "invoice";
  const checks: Check[] = [
    ["corrects", isInvoice, corrects === null],
    // BR-O-11: nothing of a document that isn't subject to tax can be.
    ["taxes", true, !categories.includes("O") || categories.length === 1],
    ["seller.vatNumber", true, !isReverseCharge || seller.vatNumber !== null],
    ["buyer.vatNumber", true, !isReverseCharge || buyer === null || buyer.vatNumber !== null],
    ["dueDate", true, !isInvoice || content.due === 0 || content.dueDate !== null],
  ];
  return checks;
};

/**
 * The first place where a content contradicts itself, or null. Only a content without one is issued or printed.
 * A condition that isn't met has `true` as expected.
 */
export const differenceIn = (content: DocumentContent): Difference | null => {
  const checks = [
    ...lineChecks(content),
    ...taxChecks(content),
    ...totalChecks(content),
    ...legalChecks(content),
  ];
  const [path, expected, found] = checks.find((check) => check[1] !== check[2]) ?? [];
  return path === undefined ? null : { path, expected: expected ?? null, found: found ?? null };
};
