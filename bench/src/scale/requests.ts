import { endpoints } from "@purser/contract/endpoints";
import type { Endpoint } from "@purser/contract/http/endpoint";
import { listFieldsOfQuery } from "@purser/contract/http/list";
import { payloadFile } from "@purser/contract/pages/payload";
import { builtRoutes } from "@purser/contract/pages/routes";
import { bodies, evaluations, ofAllFeatures } from "./bodies.ts";
import { type Get, listRequests } from "./listRequests.ts";
import { keyedApp, wideApp } from "./outliers.ts";
import { queries } from "./queries.ts";
import type { Samples } from "./samples.ts";

/** A request of the owner, or of the app with this code. With a body it is a POST. */
export type Request = { url: string; body?: object; app?: string };

export const nameOf = ({ url, body, app }: Request) =>
  [body && "POST", url, app === wideApp && `of ${app}`].filter(Boolean).join(" ");

/** Endpoints that aren't measured, by reason. Those with a file or a stream aren't either. */
const unmeasured: Record<string, readonly string[]> = {
  "Counts usage, which is a write": [
    ...["/usage", "/usage/consume", "/usage/reservations"],
    ...["/usage/reservations/:id/confirm", "/usage/reservations/:id/release"],
  ],
  "Only in test mode": ["/test-clock"],
  "Refused above 2,000 apps, which this database has": ["/catalog/diff"],
};
const isUnmeasured = (path: string) => Object.values(unmeasured).flat().includes(path);

// Posts without an idempotency key change nothing, except to sign in, to confirm an identity and to report something.
const isReadingPost = ({ method, keyed, permission }: Endpoint) =>
  method === "POST" && keyed === false && (permission === "app key" || permission.includes(":"));

const isRead = (endpoint: Endpoint) =>
  (endpoint.method === "GET" || isReadingPost(endpoint)) &&
  !endpoint.stream &&
  !endpoint.file &&
  !isUnmeasured(endpoint.path);

/** What stands for parameters other than the id of a record. */
const parameters: Record<string, string> = { form: "scale-1", number: "1" };

/** Paths with the samples of their records instead of parameters. The part before the first one names them. */
const pathsOf = (path: string, samples: Samples, kindOf = (kind: string) => kind): string[] => {
  const [, kind = "", name] = /([^/]+)\/[:$](\w+)/.exec(path) ?? [];
  if (name === undefined) return [path];
  const values = parameters[name] ? [parameters[name]] : (samples[kindOf(kind)] ?? []);
  if (values.length === 0)
    throw new Error(`There is no sample for ${path}. Add one to bench/src/scale/samples.ts.`);
  return values.flatMap((value) =>
    pathsOf(path.replace(/[:$]\w+/, encodeURIComponent(value)), samples, kindOf),
  );
};

export const lists = Object.values(endpoints).filter(
  (endpoint) => isRead(endpoint) && listFieldsOfQuery(endpoint.query),
);

/** The requests of one endpoint that isn't a list. Throws if something is missing to make one. */
export const requestsOf = (endpoint: Endpoint, samples: Samples): Request[] => {
  const { path, method, permission } = endpoint;
  if (method === "POST" && !bodies[path])
    throw new Error(`There is no body for ${path}. Add one to bench/src/scale/bodies.ts.`);
  const asked = queries[path]?.(samples) ?? [""];
  const sent: (object | undefined)[] =
    method === "POST" ? (bodies[path]?.(samples) ?? []) : [undefined];
  const apps = ofAllFeatures.has(path) ? [keyedApp, wideApp] : [keyedApp];
  const callers: Pick<Request, "app">[] =
    permission === "app key" ? apps.map((app) => ({ app })) : [{}];
  return pathsOf(path, samples).flatMap((made) =>
    asked.flatMap((query) =>
      sent.flatMap((body) =>
        callers.map((caller) => ({
          url: `/api${made}${query && `?${query}`}`,
          ...(body && { body }),
          ...caller,
        })),
      ),
    ),
  );
};

/** Every endpoint that reads, except lists. */
export const recordRequests = (samples: Samples) =>
  Object.values(endpoints)
    .filter((endpoint) => isRead(endpoint) && !listFieldsOfQuery(endpoint.query))
    .flatMap((endpoint) => requestsOf(endpoint, samples));

/** The records of pages whose path has another word than that of the endpoints. */
const kindsOfPages: Record<string, string> = {
  feature: "features",
  import: "imports",
  package: "packages",
  promotion: "promotions",
  transaction: "transactions",
};

export const pageRequests = (samples: Samples) =>
  builtRoutes.flatMap((path) => {
    const [, first = ""] = path.split("/");
    return pathsOf(path, samples, () => kindsOfPages[first] ?? first).map((made) => ({
      url: `${made === "/" ? "" : made}/${payloadFile}`,
    }));
  });

/** Every read that the product serves, from its tables of endpoints and pages. */
export const allRequests = async (samples: Samples, get: Get): Promise<Request[]> => {
  const asked: Request[] = [];
  for (const list of lists) asked.push(...(await listRequests(list, get)).map((url) => ({ url })));
  return [...pageRequests(samples), ...recordRequests(samples), ...evaluations(samples), ...asked];
};
