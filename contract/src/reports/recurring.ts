import { z } from "zod";
import { id } from "../fields/primitives.ts";
import { plain, token } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { rule } from "../messages/rules.ts";
import { reportUnits } from "./endpoints.ts";
import { about, day, reportQuery, signed } from "./period.ts";

const cursor = token(
  /^\d{4}-\d{2}-\d{2}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}_[a-z-]{3,12}$/,
  rule("cursor_malformed", "Send a cursor from an earlier response."),
).refine(
  (value) => day.safeParse(value.slice(0, 10)).success,
  rule("cursor_malformed", "Send a cursor from an earlier response."),
);

export const movementKinds = ["new", "expansion", "reactivation", "contraction", "churn"] as const;
export type MovementKind = (typeof movementKinds)[number];

const movement = z.object({ amount: signed, customers: z.int() });

const change = {
  opening: signed,
  closing: signed,
  openingSubscribers: z.int(),
  closingSubscribers: z.int(),
  new: movement,
  expansion: movement,
  reactivation: movement,
  contraction: movement,
  churn: movement,
};

/** A change of the package lowers one package and raises another, so that packages add up to the whole. */
const packageId = id.optional();
const chosenPackage = z.object({ id, name: plain }).nullable();

export const mrrGroups = ["month", "package"] as const;
export type MrrGroup = (typeof mrrGroups)[number];

export const getMrr = endpoint({
  method: "GET",
  path: "/reports/mrr",
  summary: "Retrieve monthly recurring revenue and its movements",
  permission: "reports:read",
  query: reportQuery({
    unit: z.enum(reportUnits).default("month"),
    /** Only movements of this package. */
    package: packageId,
    /** By package, the whole period of each, too. */
    group: z.enum(mrrGroups).default("month"),
  }),
  reply: z
    .object({
      ...about,
      periods: z.array(
        z.object({
          day: plain,
          /** The last day, which is earlier in the current period. */
          until: plain,
          ...change,
        }),
      ),
      package: chosenPackage,
      /** The largest first. Null unless they are grouped by package. */
      packages: z.array(z.object({ key: id, name: plain.nullable(), ...change })).nullable(),
    })
    .meta({ id: "MrrReport" }),
});

/** What the customers of a list did: each movement, or those of a figure. */
export const movementLists = {
  all: movementKinds,
  new: ["new"],
  expansion: ["expansion"],
  reactivation: ["reactivation"],
  contraction: ["contraction"],
  churn: ["churn"],
  gained: ["new", "reactivation"],
  subscribers: ["new", "reactivation", "churn"],
  "trials paid": ["trial paid"],
  "trials ended": ["trial paid", "trial lost"],
} as const;
export type MovementList = keyof typeof movementLists;
const movementListNames = Object.keys(movementLists) as [MovementList, ...MovementList[]];

export const listMovements = endpoint({
  method: "GET",
  path: "/reports/movements",
  summary: "List the customers behind a movement, the latest first",
  permission: "reports:read",
  query: reportQuery({
    list: z.enum(movementListNames).default("subscribers"),
    /** Only the part of this package. */
    package: packageId,
    /** The page after that row, from `next` of an earlier response. */
    after: cursor.optional(),
  }),
  reply: z
    .object({
      ...about,
      package: chosenPackage,
      /** All of the period, on this page or not. */
      count: z.int(),
      amount: signed,
      items: z.array(
        z.object({
          user: z.object({ id, name: plain, email: plain }),
          day: plain,
          kind: plain,
          amount: signed,
        }),
      ),
      next: plain.nullable(),
    })
    .meta({ id: "MovementList" }),
});

export const getRetention = endpoint({
  method: "GET",
  path: "/reports/retention",
  summary: "Retrieve how many customers of each month are still subscribed",
  permission: "reports:read",
  query: reportQuery({}),
  reply: z
    .object({
      ...about,
      cohorts: z.array(
        z.object({
          month: plain,
          customers: z.int(),
          /** Subscribers at the end of each following month, up to the current one. */
          active: z.array(z.int()),
        }),
      ),
    })
    .meta({ id: "RetentionReport" }),
});
