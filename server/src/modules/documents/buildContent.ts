import type {
  DocumentContent,
  DocumentLine,
  Payment,
  Seller,
  TaxSummary,
} from "@purser/contract/documents/content";

/** A line of a sale, or what was taken back of one. */
export type SoldLine = {
  name: string;
  quantity: number;
  unitAmount: number | null;
  period: { start: Date; end: Date } | null;
  discount: number;
  net: number;
  tax: number;
  gross: number;
  taxTreatment: string;
  taxBasisPoints: number | null;
  taxName: string | null;
  taxCountry: string | null;
};

type Facts = Pick<
  DocumentContent,
  | "kind"
  | "number"
  | "issuedAt"
  | "suppliedAt"
  | "language"
  | "timeZone"
  | "currency"
  | "reference"
  | "buyer"
  | "corrects"
  | "reason"
  | "taxIncluded"
> & {
  seller: Seller;
  lines: readonly SoldLine[];
  payments: readonly Payment[];
};

/** The rate of a tax that was entered or reported as an amount. */
const rateOf = ({ net, tax, taxBasisPoints }: SoldLine) =>
  taxBasisPoints ?? (net === 0 ? 0 : Math.min(10_000, Math.round((tax * 10_000) / net)));

/** Codes of EN 16931. A document that isn't subject to tax has no other category. */
const categoryOf = (line: SoldLine, isTaxed: boolean): DocumentLine["taxCategory"] => {
  if (line.taxTreatment === "reverse charge") return "AE";
  if (line.taxTreatment === "exempt") return "E";
  if (line.taxTreatment === "none" && !isTaxed) return "O";
  return line.tax > 0 ? "S" : "Z";
};

const lineOf = (
  line: SoldLine,
  { isTaxed, taxIncluded }: { isTaxed: boolean; taxIncluded: boolean },
) => {
  const { quantity, unitAmount, discount, net, tax, gross } = line;
  const taxCategory = categoryOf(line, isTaxed);
  const priced = taxIncluded ? gross : net;
  const isMultiple = unitAmount !== null && quantity * unitAmount - discount === priced;
  return {
    description: line.name,
    detail: null,
    quantity,
    unitAmount: isMultiple ? unitAmount : null,
    period: line.period,
    discount,
    discountName: null,
    net,
    taxName: line.taxName ?? "Tax",
    taxRate: taxCategory === "S" ? rateOf(line) : 0,
    taxCategory,
    tax,
    gross,
  } satisfies DocumentLine;
};

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

const summaries = (lines: readonly DocumentLine[], sold: readonly SoldLine[]): TaxSummary[] => {
  const keyOf = ({ taxCategory, taxRate }: DocumentLine) => `${taxCategory} ${taxRate}`;
  return [...new Set(lines.map(keyOf))].map((key) => {
    const places = lines.flatMap((line, place) => (keyOf(line) === key ? [place] : []));
    const same = places.map((place) => lines[place] as DocumentLine);
    const { taxName, taxRate, taxCategory } = same[0] as DocumentLine;
    return {
      taxName,
      taxRate,
      taxCategory,
      country: sold[places[0] as number]?.taxCountry ?? null,
      net: sum(same.map(({ net }) => net)),
      tax: sum(same.map(({ tax }) => tax)),
      exemptionReason: null,
    };
  });
};

/** Gives lines of the same rate the same name of it, because a summary has only one. */
const withSameNames = (lines: readonly DocumentLine[]) =>
  lines.map((line) => {
    const first = lines.find(
      ({ taxCategory, taxRate }) => taxCategory === line.taxCategory && taxRate === line.taxRate,
    );
    return { ...line, taxName: first?.taxName ?? line.taxName };
  });

/** What a document says. Everything in it was true when it was issued. */
export const buildContent = ({
  seller,
  lines: sold,
  payments,
  ...facts
}: Facts): DocumentContent => {
  const isTaxed = sold.some(({ taxTreatment }) => taxTreatment !== "none");
  const { taxIncluded } = facts;
  const lines = withSameNames(sold.map((line) => lineOf(line, { isTaxed, taxIncluded })));
  const totalOf = (part: "net" | "tax" | "gross" | "discount") =>
    sum(lines.map((line) => line[part]));
  const discount = totalOf("discount");
  const paid = payments.filter(({ amount }) => amount > 0);
  return {
    ...facts,
    seller: { ...seller, logo: null },
    buyerReference: null,
    lines,
    taxes: summaries(lines, sold),
    totals: {
      subtotal: totalOf(taxIncluded ? "gross" : "net") + discount,
      discount,
      net: totalOf("net"),
      tax: totalOf("tax"),
      gross: totalOf("gross"),
    },
    accountingTax: null,
    payments: paid,
    due: totalOf("gross") - sum(paid.map(({ amount }) => amount)),
    dueDate: null,
    notes: [],
  };
};
