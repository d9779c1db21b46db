import { endpoints } from "@purser/contract/endpoints";
import type { Endpoint } from "@purser/contract/http/endpoint";
import { type Field, type Fields, listFieldsOfQuery, operators } from "@purser/contract/http/list";
import { payloadFile } from "@purser/contract/pages/payload";
import { builtRoutes } from "@purser/contract/pages/routes";
import type { Samples } from "./samples.ts";

type Item = Record<string, unknown>;
/** Items of the first and the last page of a list, whose values are common and rare ones. */
type Known = { first: Item[]; last: Item[] };

const absentId = "01900000-0000-7000-8000-000000000000";

const textOf = (value: unknown): string | null => {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "object" && value !== null && "id" in value)
    return typeof value.id === "string" ? value.id : null;
  return null;
};

const valuesOf = (name: string, { first, last }: Known) =>
  [...new Set([first[0], first.at(-1), last[0]].map((item) => textOf(item?.[name])))].filter(
    (value): value is string => value !== null && value !== "",
  );

const days = ["2026-11-01", "1990-01-01", "2090-01-01"];

/** Operands of one filter: common, rare and absent ones. */
const operandsOf = (field: Field, operator: string, known: string[]): string[] => {
  switch (field.kind) {
    case "choice":
    case "set":
      // All states of a record, but not all countries.
      return [
        ...new Set([
          ...known.filter((value) => field.options.includes(value)),
          ...field.options.slice(0, 30),
        ]),
      ];
    case "boolean":
      return ["true", "false"];
    case "relation":
      return [...known, absentId];
    case "number":
      return operator === "between"
        ? ["1,2", "999999999998,999999999999"]
        : [...known.slice(0, 1), "0", "999999999999"];
    case "instant":
      if (operator === "last") return ["30", "9999"];
      if (operator === "this" || operator === "previous") return ["day", "quarter", "year"];
      return operator === "between" ? ["2026-10-01,2026-10-31", "1990-01-01,1990-01-02"] : days;
    default:
      if (operator === "empty") return [""];
      return [
        ...known.slice(0, 2).map((value) => (operator === "starts" ? value.slice(0, 4) : value)),
        "zzz-absent",
      ].filter((value) => !value.includes(","));
  }
};

const filtersOf = (fields: Fields, known: Known) =>
  Object.entries(fields).flatMap(([name, field]) =>
    operators[field.kind].flatMap((operator) =>
      operandsOf(field, operator, valuesOf(name, known)).map(
        (operand) => `f=${encodeURIComponent(`${name}:${operator}:${operand}`)}`,
      ),
    ),
  );

const sortsOf = (fields: Fields) =>
  Object.entries(fields)
    .filter(([, { sort }]) => sort)
    .flatMap(([name]) => [`sort=${name}`, `sort=-${name}`]);

/** The first rows of a day, in both directions. */
const daysOf = (fields: Fields) =>
  Object.entries(fields)
    .filter(([, { kind, sort }]) => kind === "instant" && sort)
    .flatMap(([name]) => [`sort=${name}&at=${days[0]}`, `sort=-${name}&at=${days[0]}`]);

/** Beginnings of values that are there, and what isn't there. */
const searchesOf = (known: Known) => {
  const texts = [...known.first.slice(0, 1), ...known.last.slice(0, 1)].flatMap((item) =>
    Object.values(item).filter((value) => typeof value === "string" && value.length > 3),
  ) as string[];
  const found = texts.flatMap((text) => [text.slice(0, 60), text.slice(0, 3)]);
  return [...new Set([...found, "many-", "ada", "heavy-1", "zzz-absent", "a"])].map(
    (typed) => `q=${encodeURIComponent(typed)}`,
  );
};

const isRead = ({ method, permission, stream, file }: Endpoint) =>
  method === "GET" && permission !== "app key" && !stream && !file;

/** Paths with the samples of their records instead of parameters. */
const pathsOf = (path: string, samples: Samples): string[] => {
  if (!/[:$]/.test(path)) return [path];
  const [, kind = ""] = path.split("/");
  const ids = samples[kind] ?? [];
  return ids.map((id) => path.replace(/[:$]id\b/, id)).filter((made) => !/[:$]/.test(made));
};

const needed: Record<string, (samples: Samples) => string[]> = {
  "/apps/impact": ({ apps = [] }) => [`ids=${apps[0]}`],
  "/audit/actions": ({ users = [] }) => [
    "",
    ...["prices", "refunds", "access", "team"].map((topic) => `f=topic:any:${topic}`),
    "q=price&fields=priceId,amount&types=version_prices",
    "q=many",
    "q=zzz-absent&f=entity:any:transactions",
    `f=record:any:${users[0]}`,
    "f=actorKind:any:key",
    "f=at:last:30&q=ada",
  ],
  "/list-jobs": () => ["list=users"],
  "/apps/bulk-jobs/preview": () => ["action=archive"],
  "/features/bulk-jobs/preview": () => ["action=archive"],
  "/packages/bulk-jobs/preview": () => ["action=archive"],
  "/promotions/bulk-jobs/preview": () => [
    "action=archive",
    "action=extend&endsAt=2090-01-01T00:00:00.000Z",
  ],
  "/users/bulk-jobs/preview": () => ["action=suspend"],
  "/features/impact": ({ features = [] }) => [`ids=${features[0]}`],
  "/home/attention": () => ["", "of=me"],
  "/home/attention/assignees": () => ["kind=disputes"],
  "/home/attention/records": () => [
    "kind=disputes",
    "kind=failed%20payments",
    "kind=failed%20renewals",
    "kind=unmatched%20events&of=me",
  ],
  "/imports/mappings": () => ["kind=customers"],
  "/icons": () => ["q=house"],
  "/promotions/overlapping": () => ["from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z"],
  "/reports/revenue/rows": ({ packages = [], promotions = [] }) => [
    "",
    "group=country&key=EE&from=2026-01-01&until=2026-12-31",
    "group=country&key=ZZ&from=2025-01-01&until=2026-12-31",
    "group=tax&key=tax:none&from=2026-01-01&until=2026-12-31",
    `group=package&key=${packages[0]}`,
    `group=promotion&key=${promotions[0]}&from=2025-01-01&until=2026-12-31`,
  ],
  "/reports/mrr": ({ packages = [] }) => [
    "",
    "group=package&from=2025-01-01&until=2026-12-31",
    `package=${packages[0]}`,
  ],
  "/reports/movements": ({ packages = [] }) => [
    "",
    "list=expansion&from=2025-01-01&until=2026-12-31",
    `package=${packages[0]}&list=new&from=2025-01-01&until=2026-12-31`,
  ],
  "/reports/app-share/rows": ({ apps = [], packages = [] }) => [
    "",
    `app=${apps[0]}&package=${packages[0]}&from=2025-01-01&until=2026-12-31`,
  ],
  "/reports/retention/customers": () => [
    "currency=EUR&cohort=2026-01-01&month=2026-03-01",
    "currency=EUR&cohort=2026-10-01&month=2026-10-01",
  ],
  "/transactions/sums": ({ users = [] }) => [
    "",
    "q=many-1",
    "f=occurredAt:previous:month",
    "f=occurredAt:last:9999",
    "f=settledAt:last:9999",
    "f=state:any:failed",
    "f=kind:any:refund,chargeback",
    "f=total:gt:100&f=provider:is:manual",
    `f=user:any:${users[0]}`,
  ],
  "/users/sums": ({ packages = [] }) => [
    "",
    "q=many-1",
    "f=status:any:suspended",
    "f=country:any:EE",
    "f=createdAt:previous:month",
    `f=package:any:${packages[0]}`,
  ],
  "/users/:id/check": ({ apps = [] }) => [`app=${apps[0]}&feature=feature-1`],
  "/users/:id/offer": ({ features = [] }) => [`featureId=${features[0]}`],
  "/packages/:id/subscribers": () => ["", "q=many-1", "q=zzz-absent"],
};

/** Endpoints with other parameters than the id of a record. They are named here so that a new one isn't forgotten. */
const unmeasured = new Set([
  "/drafts/:form",
  "/packages/:id/versions/:number",
  "/promotions/simulations/:id",
  "/users/:id/exports/:exportId",
]);

export const lists = Object.values(endpoints).filter(
  (endpoint) => isRead(endpoint) && listFieldsOfQuery(endpoint.query),
);

type Get = (url: string) => Promise<{ items: Item[]; next: string | null }>;

const listRequests = async ({ path, query }: Endpoint, get: Get) => {
  const fields = listFieldsOfQuery(query) ?? {};
  const url = `/api${path}`;
  const first = await get(url);
  const last = await get(`${url}?before=end`);
  const known = { first: first.items, last: last.items };
  const places = ["", "page=400", "before=end", "count=none", "size=100"];
  if (first.next) places.push(`after=${first.next}`);
  return [
    ...places,
    ...sortsOf(fields),
    ...daysOf(fields),
    ...filtersOf(fields, known),
    ...searchesOf(known),
  ].map((asked) => (asked ? `${url}?${asked}` : url));
};

const recordRequests = (samples: Samples) =>
  Object.values(endpoints)
    .filter((endpoint) => isRead(endpoint) && !listFieldsOfQuery(endpoint.query))
    .flatMap(({ path }) => {
      if (unmeasured.has(path)) return [];
      const paths = pathsOf(path, samples);
      if (paths.length === 0 && !(path.split("/")[1] ?? "" in samples))
        throw new Error(`There is no sample for ${path}. Add one to bench/src/scale/samples.ts.`);
      const queries = needed[path]?.(samples) ?? [""];
      return paths.flatMap((made) => queries.map((query) => `/api${made}${query && `?${query}`}`));
    });

const pageRequests = (samples: Samples) =>
  builtRoutes.flatMap((path) => {
    const kinds: Record<string, string> = {
      feature: "features",
      package: "packages",
      promotion: "promotions",
      transaction: "transactions",
    };
    const [, kind = ""] = path.split("/");
    const named = { ...samples, [kind]: samples[kinds[kind] ?? kind] ?? [] };
    return pathsOf(path, named).map((made) => `${made === "/" ? "" : made}/${payloadFile}`);
  });

/** Every read that the product serves, from its tables of endpoints and pages. */
export const allRequests = async (samples: Samples, get: Get): Promise<string[]> => {
  const asked = [];
  for (const list of lists) asked.push(...(await listRequests(list, get)));
  return [...pageRequests(samples), ...recordRequests(samples), ...asked];
};
