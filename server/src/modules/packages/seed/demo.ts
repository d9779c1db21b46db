import type { Db } from "#platform/db/db.ts";
import { pricesOf, type SeedPackage, type SeedValues, seedPackages } from "./seed.ts";

const solo: SeedValues = {
  "harbor/berths": 20,
  "harbor/text-messages": 50,
  "harbor/reports": "weekly",
  "ledgerly/seats": 1,
  "ledgerly/storage": 5,
  "ledgerly/invoices": 30,
  "tide-tables/forecast-days": 7,
  "tide-tables/lookups": 50,
};

const studio: SeedValues = {
  ...solo,
  "harbor/berths": 60,
  "harbor/waiting-list": true,
  "harbor/text-messages": 300,
  "ledgerly/seats": 5,
  "ledgerly/storage": 50,
  "ledgerly/invoices": 200,
  "signal-desk/seats": 5,
  "signal-desk/storage": 20,
  "signal-desk/support": "email",
  "signal-desk/reminders": 40,
  "tide-tables/lookups": 200,
  "logbook/vessels": 2,
  "logbook/export": "pdf",
};

const studioLately: SeedValues = {
  ...studio,
  "harbor/reports": "live",
  "ledgerly/storage": 100,
  "ledgerly/multi-currency": true,
  "tide-tables/currents": true,
};

const team: SeedValues = {
  ...studioLately,
  "harbor/berths": 200,
  "harbor/text-messages": 1500,
  "ledgerly/seats": 25,
  "ledgerly/storage": 250,
  "ledgerly/invoices": 1000,
  "signal-desk/seats": 25,
  "signal-desk/storage": 100,
  "signal-desk/reminders": 400,
  "tide-tables/forecast-days": 14,
  "tide-tables/lookups": 1000,
  "logbook/vessels": 10,
  "logbook/signatures": true,
  "logbook/export": "all",
  "lighthouse/checks": 20,
  "lighthouse/frequency": "five-minutes",
  "lighthouse/alerts": 500,
};

const fleet: SeedValues = {
  ...team,
  "harbor/berths": "unlimited",
  "harbor/text-messages": 10_000,
  "ledgerly/seats": "unlimited",
  "ledgerly/storage": 1000,
  "ledgerly/invoices": "unlimited",
  "signal-desk/seats": "unlimited",
  "signal-desk/storage": 500,
  "signal-desk/support": "priority",
  "signal-desk/reminders": "unlimited",
  "cargo-api/quotes": 2000,
  "cargo-api/region": "world",
  "cargo-api/support": "priority",
  "tide-tables/lookups": "unlimited",
  "logbook/vessels": 100,
  "lighthouse/checks": 200,
  "lighthouse/frequency": "every-minute",
  "lighthouse/alerts": 5000,
  "lighthouse/status-page": true,
};

const plan = { kind: "base", group: "plans" } as const;
const addOn = { kind: "add-on", group: null, baseGroups: ["plans"] } satisfies Partial<SeedPackage>;

const demo: SeedPackage[] = [
  {
    ...plan,
    code: "solo",
    name: "Solo",
    description: "For one person with one boat, or a very small marina.",
    sort: 10,
    versions: [
      {
        values: { ...solo, "harbor/berths": 10, "harbor/reports": "none" },
        prices: pricesOf({ EUR: 900, USD: 900, GBP: 800, JPY: 1200 }),
        trialDays: 14,
        note: "The first plan.",
        daysAgo: 720,
      },
      {
        values: solo,
        prices: pricesOf({ EUR: 1200, USD: 1300, GBP: 1100, JPY: 1900 }),
        trialDays: 14,
        note: "Twice the berths and weekly reports, at a new price.",
        daysAgo: 310,
      },
    ],
  },
  {
    ...plan,
    code: "studio",
    name: "Studio",
    description: "For a small crew: berths, bookkeeping and a shared inbox.",
    sort: 20,
    versions: [
      {
        values: studio,
        prices: pricesOf({ EUR: 2900, USD: 2900, GBP: 2500, JPY: 4500 }),
        trialDays: 30,
        note: "A plan between one person and a team.",
        daysAgo: 715,
      },
      {
        values: { ...studioLately, "tide-tables/currents": false },
        prices: pricesOf({ EUR: 2900, USD: 3200, GBP: 2500, JPY: 4800 }),
        trialDays: 14,
        note: "Live reports and more storage, as many customers requested.",
        daysAgo: 420,
      },
      {
        values: studioLately,
        prices: pricesOf({ EUR: 3400, USD: 3700, GBP: 2900, JPY: 5400 }),
        trialDays: 14,
        note: "Tide tables now include currents.",
        daysAgo: 130,
      },
      {
        values: {
          ...studioLately,
          "harbor/text-messages": 200,
          "ledgerly/storage": 60,
          "signal-desk/seats": 8,
        },
        prices: pricesOf({ EUR: 3400, USD: 3900, GBP: 2900, JPY: 5600 }),
        trialDays: 14,
        note: "",
        daysAgo: null,
      },
    ],
  },
  {
    ...plan,
    code: "team",
    name: "Team",
    description: "For marinas with an office.",
    sort: 30,
    versions: [
      {
        values: team,
        prices: pricesOf({ EUR: 9900, USD: 10900, GBP: 8900, JPY: 16000 }),
        trialDays: 14,
        note: "For marinas with an office.",
        daysAgo: 710,
      },
    ],
  },
  {
    ...plan,
    code: "fleet",
    name: "Fleet",
    description: "For companies with several marinas and ships of their own.",
    sort: 40,
    versions: [
      {
        values: fleet,
        prices: pricesOf({ EUR: 39900, USD: 43900, GBP: 35900, JPY: 64000 }),
        trialDays: 0,
        note: "Everything, for companies with several marinas.",
        daysAgo: 700,
      },
    ],
  },
  {
    ...addOn,
    code: "more-storage",
    name: "More storage",
    description: "Storage for files, on top of what the plan includes.",
    sort: 50,
    versions: [
      {
        values: { "ledgerly/storage": 100, "signal-desk/storage": 100 },
        prices: pricesOf({ EUR: 500, USD: 500, GBP: 400, JPY: 800 }),
        trialDays: 0,
        note: "For customers who need more storage.",
        daysAgo: 600,
      },
    ],
  },
  {
    ...addOn,
    code: "message-bundle",
    name: "Message bundle",
    description: "Text messages and alerts, on top of what the plan includes.",
    sort: 60,
    versions: [
      {
        values: { "harbor/text-messages": 1000, "lighthouse/alerts": 200 },
        prices: pricesOf({ EUR: 1500, USD: 1700, GBP: 1300, JPY: 2400 }),
        trialDays: 0,
        note: "For busy seasons.",
        daysAgo: 500,
      },
    ],
  },
  {
    ...addOn,
    code: "more-seats",
    name: "More seats",
    description: "Seats for colleagues, on top of what the plan includes. Sold per seat.",
    sort: 70,
    versions: [
      {
        values: { "ledgerly/seats": 1, "signal-desk/seats": 1 },
        prices: pricesOf({ EUR: 700, USD: 800, GBP: 600, JPY: 1100 }),
        trialDays: 0,
        perUnit: true,
        note: "For crews that grow between two plans.",
        daysAgo: 400,
      },
    ],
  },
];

/** The demo packages. Existing packages aren't changed. */
export const seedDemoPackages = (db: Db, now: Date) => seedPackages(db, demo, now);
