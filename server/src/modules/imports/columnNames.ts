import { type ImportKind, importFields } from "@purser/contract/workspace/imports";

const customer = {
  customerId: ["customer id", "customer", "user id", "external id"],
  email: ["customer email", "email", "email address", "e-mail"],
};

/**
 * Names of columns in files of other programs, such as Stripe's exports. Compared without case, spaces and
 * punctuation. Of several columns for one field, the first name here wins.
 */
const columnNames: Record<ImportKind, Record<string, readonly string[]>> = {
  customers: {
    externalId: ["external id", "customer id", "id", "user id", "reference", "customer number"],
    email: ["email", "email address", "e-mail", "customer email"],
    name: ["name", "full name", "customer name", "display name"],
    company: ["company", "company name", "organization", "organisation", "business name"],
    addressLine1: ["address", "address line 1", "street", "card address line1", "line1"],
    addressLine2: ["address line 2", "card address line2", "line2"],
    postalCode: ["postal code", "zip", "zip code", "postcode", "card address zip"],
    city: ["city", "town", "card address city"],
    region: ["region", "state", "province", "card address state"],
    country: ["country", "country code", "card address country", "card issue country"],
    vatNumber: ["vat number", "vat", "vat id", "tax id", "business vat id"],
    locale: ["language", "locale", "preferred locales"],
    timeZone: ["time zone", "timezone"],
    createdAt: [
      "customer since",
      "created",
      "created at",
      "created utc",
      "signed up",
      "sign up date",
    ],
  },
  subscriptions: {
    reference: ["reference", "subscription id", "id", "subscription"],
    provider: ["provider", "gateway", "payment provider"],
    ...customer,
    package: ["package", "plan name", "product", "plan", "price id"],
    interval: ["interval", "billing period", "billing interval"],
    currency: ["currency", "plan currency"],
    price: ["price", "unit amount", "plan amount", "amount"],
    quantity: ["quantity", "seats"],
    startedAt: [
      "started at",
      "start date utc",
      "start utc",
      "start date",
      "created utc",
      "created",
    ],
    periodStart: ["period start", "current period start utc", "current period start"],
    periodEnd: ["period end", "current period end utc", "current period end", "next payment"],
    status: ["status"],
    cancelsAtPeriodEnd: ["cancels at period end", "cancel at period end"],
    endedAt: ["ended at", "ended at utc", "end date"],
  },
  transactions: {
    reference: ["reference", "transaction id", "payment id", "id", "charge id"],
    provider: ["provider", "gateway", "payment provider"],
    ...customer,
    date: ["date", "created utc", "created date utc", "created", "paid at", "payment date"],
    currency: ["currency"],
    amount: ["amount", "total", "gross"],
    tax: ["tax", "tax amount", "vat"],
    taxRate: ["tax rate", "vat rate"],
    status: ["status", "state"],
    refundedAmount: ["refunded amount", "amount refunded", "refunded"],
    refundedAt: ["refunded at", "refunded date utc", "refund date"],
    description: ["description", "statement descriptor"],
    package: ["package", "product", "plan"],
    subscription: ["subscription", "subscription id"],
    periodStart: ["period start", "service period start"],
    periodEnd: ["period end", "service period end"],
  },
  codes: {
    code: ["code", "promotion code", "coupon code", "coupon"],
    promotion: ["promotion", "promotion name", "campaign", "discount"],
    redemptionLimit: ["redemption limit", "limit", "max redemptions", "uses", "max uses"],
  },
};

const simple = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** The field of each column that is recognized by its name. A field is used once. */
export const recognize = (kind: ImportKind, columns: readonly string[]): (string | null)[] => {
  const free = new Set<string>(importFields[kind]);
  // The column whose name comes first in a field's list gets the field.
  const wanted = Object.entries(columnNames[kind]).flatMap(([field, names]) => {
    // Stripe's tax is that of its fee, which has its own column.
    if (field === "tax" && columns.some((column) => simple(column) === "fee")) return [];
    const places = [field, ...names].map((name) =>
      columns.findIndex((column) => simple(column) === simple(name)),
    );
    const place = places.find((one) => one >= 0);
    return place === undefined ? [] : [{ field, place }];
  });
  return columns.map((_, place) => {
    const field = wanted.find((one) => one.place === place && free.has(one.field))?.field ?? null;
    if (field) free.delete(field);
    return field;
  });
};
