import { atMost, find, nodeUs, perSecond, ratioOf, totalUs, type Verdict } from "../goals.ts";
import { healthRoute } from "../measure/rounds.ts";
import type { Figure } from "../measure/sample.ts";
import { packageCounts } from "./prepare.ts";

export const names = {
  warm: "check from memory",
  several: "check from memory, 500 customers in turn",
  both: "check from memory, two servers",
  snapshot: "bare Fastify, GET of a snapshot in Redis",
  lookup: "bare Fastify, one prepared lookup",
  cold: "check from PostgreSQL, different customers",
  coldKnownKey: "check from PostgreSQL, different customers, API key from memory",
  coldSmall: "check from PostgreSQL, different customers, 1 % of the data",
  pgbenchLookup: "pgbench, the prepared lookup",
  pgbenchCheck: "pgbench, the statements of a check",
  redisGet: "Redis GET",
  redisIncr: "Redis INCR",
  consumption: "consume one, one customer",
  consumptions: "consume one, different customers",
};

export const withPackages = (packages: number) =>
  `check from PostgreSQL, ${packages} ${packages === 1 ? "package" : "packages"}`;

const warmMax = 1.5;
const redisMax = 3;
const coldMax = 1.3;
const twoServersMin = 1.8;

export const goalsOf = (figures: Figure[]): Verdict[] => {
  const ratio = (part: string, whole: string, of = totalUs) =>
    ratioOf([find(figures, part), of], [find(figures, whole), of]);
  const twoServers = ratio(names.both, names.warm, perSecond);
  return [
    atMost(
      "from memory / no-op route of the product, Node CPU",
      ratio(names.warm, healthRoute, nodeUs),
      warmMax,
    ),
    atMost(
      "500 customers / one, from memory, Node CPU",
      ratio(names.several, names.warm, nodeUs),
      redisMax,
    ),
    atMost(
      "from PostgreSQL / bare lookup, Node and PostgreSQL CPU",
      ratio(names.cold, names.lookup),
      coldMax,
    ),
    atMost(
      "from PostgreSQL with the API key from memory / bare lookup, Node and PostgreSQL CPU",
      ratio(names.coldKnownKey, names.lookup),
      coldMax,
    ),
    atMost(
      "all data / 1 % of it, from PostgreSQL, Node and PostgreSQL CPU",
      ratio(names.cold, names.coldSmall),
      coldMax,
    ),
    ...packageCounts
      .slice(1)
      .map((packages) =>
        atMost(
          `${packages} packages / 1, Node and PostgreSQL CPU`,
          ratio(withPackages(packages), withPackages(1)),
          coldMax,
        ),
      ),
    {
      what: `two servers / one, requests per second, at least ${twoServersMin}`,
      value: twoServers,
      unit: "ratio",
      holds: twoServers === null ? null : twoServers >= twoServersMin,
    },
    {
      what: "consumption / Redis INCR, requests per second",
      value: ratio(names.consumptions, names.redisIncr, perSecond),
      unit: "ratio",
      holds: null,
    },
  ];
};
