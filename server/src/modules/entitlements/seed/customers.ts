import { type Db, run } from "#platform/db/db.ts";

const customersCount = 300;
const dayMs = 86_400_000;
const hourMs = 3_600_000;

const firstNames =
  "Ada Bruno Chiara Dmitri Elif Farid Greta Hugo Ines Jonas Kira Liam Mira Noor Oskar Paula Rafael Sanne Tomo Yara".split(
    " ",
  );
const lastNames =
  "Albers Bianchi Costa Dahl Eriksen Fontaine Grieg Hansen Ito Jensen Keller Lindgren Moreau Novak Okafor".split(
    " ",
  );

type Place = {
  country: string | null;
  locale: string | null;
  timeZone: string | null;
  currency: string;
  street: string;
  postalCode: string;
  city: string;
};

const place = (
  [country, locale, timeZone, currency]: [string | null, string | null, string | null, string],
  [street, postalCode, city]: [string, string, string],
): Place => ({ country, locale, timeZone, currency, street, postalCode, city });

const places: [Place, ...Place[]] = [
  place(["PT", "pt", "Europe/Lisbon", "EUR"], ["Rua do Exemplo", "1100-001", "Lisboa"]),
  place(["IT", "it", "Europe/Rome", "EUR"], ["Via Esempio", "16124", "Genova"]),
  place(["US", "en", "America/New_York", "USD"], ["Example Street", "04101", "Portland"]),
  place(["GB", "en-GB", "Europe/London", "GBP"], ["Example Road", "PO1 3AX", "Portsmouth"]),
  place(["JP", "ja", "Asia/Tokyo", "JPY"], ["Example 1-chome", "231-0001", "Yokohama"]),
  place(["DE", "de", "Europe/Berlin", "EUR"], ["Beispielstraße", "20457", "Hamburg"]),
  place(["NL", "nl", "Europe/Amsterdam", "EUR"], ["Voorbeeldkade", "1011 AB", "Amsterdam"]),
  place([null, null, null, "EUR"], ["", "", ""]),
];

/** Companies by the number of the customer. The VAT numbers have a valid format, but belong to no one. */
const companies: Record<number, { company: string; vatNumber: string | null; country?: "EE" }> = {
  // Reverse charge: a business in another country of the European Union.
  5: { company: "Beispiel Marina GmbH", vatNumber: "DE000000000" },
  14: { company: "Voorbeeld Jachthaven B.V.", vatNumber: "NL000000000B00" },
  // Taxed like every customer in the company's own country.
  23: { company: "Näidis Sadam OÜ", vatNumber: "EE000000001", country: "EE" },
  // Not taxed: outside the European Union.
  11: { company: "Example Yachts Ltd", vatNumber: "GB000000000" },
  // A company without a VAT number pays the tax of its country.
  29: { company: "Beispiel Segelschule e.V.", vatNumber: null },
};

const home = place(["EE", "et", "Europe/Tallinn", "EUR"], ["Näidise tänav", "10111", "Tallinn"]);

export type DemoCustomer = {
  n: number;
  id: string;
  currency: string;
  interval: "month" | "year";
  joined: Date;
};

/** Some joined within two weeks, the other monthly customers within half a year, and yearly ones within two. */
const joinedDaysAgo = (n: number, interval: "month" | "year") => {
  if (n % 40 === 7 || n % 40 === 29) return 1 + (n % 11);
  // A trial of 14 days and a month ago, so that their first renewal was a few days ago in every month.
  if ([1, 8, 15].includes(n % 42)) return 46;
  return 15 + ((n * 37) % (interval === "year" ? 670 : 170));
};

/** Everything about customer n follows from n. */
const customerOf = (n: number, now: Date) => {
  const first = firstNames[n % firstNames.length] ?? "";
  const last = lastNames[Math.floor(n / firstNames.length)] ?? "";
  const firm = companies[n];
  const at = firm?.country === "EE" ? home : (places[n % places.length] ?? places[0]);
  const interval = n % 7 < 2 ? ("month" as const) : ("year" as const);
  const joined = new Date(+now - joinedDaysAgo(n, interval) * dayMs - ((n * 5) % 24) * hourMs);
  const { street, postalCode, city, currency, ...location } = at;
  // Most customers never enter an address.
  const hasAddress = firm !== undefined || (n % 4 === 1 && street !== "");
  return {
    n,
    currency,
    interval,
    joined,
    name: `${first} ${last}`,
    email: `${first}.${last}@example.com`.toLowerCase(),
    externalId: `nq-${10_000 + n}`,
    status: n % 61 === 7 ? "suspended" : "active",
    ...location,
    address: hasAddress ? { lines: [`${street} ${1 + (n % 40)}`], postalCode, city } : null,
    company: firm?.company ?? null,
    vatNumber: firm?.vatNumber ?? null,
  };
};

const insertCustomers = `
  insert into users (id, email, name, status, external_id, country, locale, time_zone, address, company, vat_number,
    created_at, updated_at)
  select uuid_v7(joined), email, name, status, "externalId", country, locale, "timeZone", nullif(address, 'null'),
    company, "vatNumber", joined, joined
  from jsonb_to_recordset($1::jsonb) as given (email text, name text, status text, "externalId" text, country text,
    locale text, "timeZone" text, address jsonb, company text, "vatNumber" text, joined timestamptz)
  on conflict (email) do nothing returning id, email`;

/** The customers of the demo company that don't exist yet. */
export const seedDemoCustomers = async (db: Db, now: Date): Promise<DemoCustomer[]> => {
  const planned = Array.from({ length: customersCount }, (_, n) => customerOf(n, now));
  const made = (await run(db, insertCustomers, [JSON.stringify(planned)])) as {
    id: string;
    email: string;
  }[];
  const ids = new Map(made.map(({ id, email }) => [email, id]));
  return planned.flatMap(({ n, email, currency, interval, joined }) => {
    const id = ids.get(email);
    return id === undefined ? [] : [{ n, id, currency, interval, joined }];
  });
};
