import type { DemoCustomer } from "#modules/entitlements/seed/customers.ts";
import {
  type Action,
  adjustBalance,
  buy,
  cancelWithPeriod,
  changeQuantity,
  changeTo,
  dispute,
  pauseFor,
  refund,
  startTrial,
} from "./actions.ts";
import type { Company } from "./demoQueries.ts";
import { daysAfter, type Step } from "./timeline.ts";

type Plan = "solo" | "studio" | "team" | "fleet";

const planOf = (n: number): Plan | null => {
  const place = (n * 7) % 20;
  if (place < 8) return "solo";
  if (place < 15) return "studio";
  if (place < 18) return "team";
  return place === 18 ? "fleet" : null;
};

/** The code that a customer enters, if a promotion runs on that day. */
const codesAt = ({ n, currency, interval }: DemoCustomer, daysAgo: number) => {
  if (daysAgo <= 12 && interval === "year" && currency === "EUR") return ["AUTUMN20"];
  if (daysAgo <= 44 && n % 3 === 0 && currency !== "JPY") return ["BACKTOWORK"];
  return daysAgo > 101 && daysAgo < 199 && n % 2 === 0 ? ["SUMMER15"] : [];
};

/** When something happens: days after the customer joined, or days before today. */
type Moment = { after: number } | { ago: number };
type Event = Moment & { action: Action };

const purchaseOf = (customer: DemoCustomer, plan: Plan, daysAgo: number): Event[] => {
  const { n } = customer;
  const trial = { after: 0, action: startTrial(plan) };
  if (n % 75 === 41) return [trial, { after: 5, action: cancelWithPeriod }];
  if (n % 40 === 7 || n % 25 === 16) return [trial];
  const codes = codesAt(customer, daysAgo);
  const seats = { code: "more-seats", quantity: 2 + (n % 3) };
  const packages = [{ code: plan }, ...(n % 20 === 4 && daysAgo < 390 ? [seats] : [])];
  const purchase = buy({ packages, codes });
  if (n % 37 !== 15) return [{ after: 0, action: purchase }];
  return [
    { after: 0, action: buy({ packages, outcome: "failed" }) },
    { after: 1, action: purchase },
  ];
};

const refunds = [
  { of: "full", access: "end now", reason: "Ordered twice by mistake." },
  { of: "unused", access: "end now", reason: "The marina closed early this year." },
  { of: "half", access: "keep", reason: "Reports were unavailable for two weeks." },
  {
    of: "unused",
    to: "balance",
    access: "end with period",
    reason: "Wants to use the rest for another plan next season.",
  },
] as const;

const won = {
  outcome: "dispute won",
  days: 12,
  evidence: "We sent the invoice and the sign-in log, and the bank decided for us.",
} as const;
const lost = {
  outcome: "dispute lost",
  days: 15,
  evidence: "The bank decided for the cardholder.",
} as const;

/** What happens to some of the customers. Which ones follows from their numbers. */
const incidents: { isFor: (n: number, plan: Plan) => boolean; events: (n: number) => Event[] }[] = [
  {
    isFor: (n) => n % 6 === 1,
    events: () => [{ after: 10, action: buy({ packages: [{ code: "more-storage" }] }) }],
  },
  {
    isFor: (n) => n % 9 === 2,
    events: () => [{ after: 18, action: buy({ packages: [{ code: "message-bundle" }] }) }],
  },
  {
    isFor: (n, plan) => plan === "solo" && n % 11 === 1,
    events: () => [{ after: 33, action: changeTo("studio") }],
  },
  {
    isFor: (n, plan) => (plan === "team" || plan === "studio") && n % 13 === 6,
    events: () => [{ after: 47, action: changeTo("solo") }],
  },
  {
    isFor: (n, plan) => plan === "solo" && n % 71 === 21,
    events: () => [{ ago: 0.1, action: changeTo("studio", "pending") }],
  },
  {
    isFor: (n) => n % 40 === 4,
    events: (n) => [{ after: 50, action: changeQuantity("more-seats", 5 + (n % 3)) }],
  },
  {
    isFor: (n) => n % 40 === 24,
    events: () => [
      {
        after: 4,
        action: refund({ of: "last line", access: "keep", reason: "Seats weren't needed." }),
      },
    ],
  },
  {
    isFor: (n) => n % 29 === 2,
    events: (n) => [
      { after: 5, action: refund(refunds[Math.floor(n / 29) % refunds.length] ?? refunds[0]) },
    ],
  },
  { isFor: (n) => n % 41 === 3, events: () => [{ ago: 4, action: dispute(null) }] },
  { isFor: (n) => n % 47 === 10, events: () => [{ ago: 60, action: dispute(won) }] },
  { isFor: (n) => n % 53 === 12, events: () => [{ ago: 50, action: dispute(lost) }] },
  { isFor: (n) => n % 31 === 4, events: () => [{ after: 20, action: cancelWithPeriod }] },
  { isFor: (n) => n % 23 === 5, events: (n) => [{ ago: 1 + (n % 5), action: cancelWithPeriod }] },
  { isFor: (n) => n % 41 === 6, events: (n) => [{ ago: 3 + (n % 9), action: pauseFor(null) }] },
  { isFor: (n) => n % 43 === 9, events: () => [{ after: 40, action: pauseFor(21) }] },
  {
    isFor: (n) => n % 67 === 18,
    events: () => [{ ago: 25, action: adjustBalance(1500, "Thanks for testing the new reports.") }],
  },
];

/** Customers without a plan who started a purchase. */
const attempts: Record<number, Event> = {
  17: { ago: 1, action: buy({ packages: [{ code: "team" }], outcome: "pending" }) },
  37: { ago: 2, action: buy({ packages: [{ code: "studio" }], outcome: "draft" }) },
  57: { ago: 8, action: buy({ packages: [{ code: "solo" }], outcome: "voided" }) },
  77: { ago: 3, action: buy({ packages: [{ code: "studio" }], outcome: "failed" }) },
};

const eventsOf = (customer: DemoCustomer, now: Date): Event[] => {
  const { n, joined } = customer;
  const plan = planOf(n);
  if (plan === null) return attempts[n] ? [attempts[n]] : [];
  const daysAgo = (+now - +joined) / 86_400_000;
  return [
    ...purchaseOf(customer, plan, daysAgo),
    ...incidents.flatMap(({ isFor, events }) => (isFor(n, plan) ? events(n) : [])),
  ];
};

/** What a customer does, from joining until today. */
export const historyOf = (company: Company, customer: DemoCustomer): Step[] =>
  eventsOf(customer, company.now).flatMap(({ action, ...when }) => {
    const at =
      "ago" in when ? daysAfter(company.now, -when.ago) : daysAfter(customer.joined, when.after);
    if (at < customer.joined) return [];
    return [{ at, run: () => action(company, customer, at) }];
  });
