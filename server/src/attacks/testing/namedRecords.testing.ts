import { endpoints } from "@purser/contract/endpoints";
import type { Endpoint } from "@purser/contract/http/endpoint";
import type { z } from "zod";

/**
 * Whose record a path or field names:
 * - `own`: one user's. No one else can tell whether it exists, not even an owner.
 * - `requester`: one user's and those who could review it.
 * - `user`: a customer or team member. Roles without `team:read` can't tell team members from unknown IDs.
 * - `team member`: a customer's ID is like an unknown one.
 * - `child`: part of the record before it in the path. Under another record it is like an unknown one.
 * - `app`: the app of the API key, which finds nothing of another app.
 * - `secret`: works only for the user or browser it was made for.
 * - `workspace`: shared by the team. The permission decides, which access.test.ts covers.
 * - `address`: an email address that may be new. What it reveals is covered by teamMembers.test.ts and
 *   unknownAccounts.test.ts.
 */
type Whose =
  | "own"
  | "requester"
  | "user"
  | "team member"
  | "child"
  | "app"
  | "secret"
  | "workspace"
  | "address";

/** Places of records in paths, up to their parameter. */
const paths: Record<string, Whose> = {
  "/passkeys/:id": "own",
  "/sessions/:id": "own",
  "/drafts/:form": "own",
  "/list-jobs/:id": "own",
  "/approvals/:id": "requester",
  "/users/:id": "user",
  "/usage/reservations/:id": "app",
  // A key sees only its own app's part of a customer (appCustomers.test.ts).
  "/customers/:externalId": "app",
  "/users/:id/notes/:noteId": "child",
  "/users/:id/exports/:exportId": "child",
  "/apps/:id/comments/:commentId": "child",
  "/features/:id/comments/:commentId": "child",
  "/packages/:id/comments/:commentId": "child",
  "/promotions/:id/comments/:commentId": "child",
  "/transactions/:id/comments/:commentId": "child",
  "/team/:id": "team member",
  "/team/:id/sessions/:sessionId": "child",
  "/service-accounts/:id": "workspace",
  "/service-accounts/:id/keys/:keyId": "child",
  "/apps/:id": "workspace",
  "/apps/:id/keys/:keyId": "child",
  "/features/:id": "workspace",
  "/packages/:id": "workspace",
  "/packages/:id/versions/:number": "child",
  "/imports/:id": "workspace",
  "/imports/:id/parts/:part": "workspace",
  "/rollouts/:id": "workspace",
  "/grants/:id": "workspace",
  "/promotions/:id": "workspace",
  "/promotions/simulations/:id": "workspace",
  "/transactions/:id": "workspace",
  "/subscriptions/:id": "workspace",
  "/provider-events/:id": "workspace",
  "/providers/:provider": "workspace",
  "/reports/saved/:id": "workspace",
  "/imports/mappings/:id": "workspace",
  "/tax-rates/:id": "workspace",
  "/views/:id": "workspace",
  "/documents/:id": "workspace",
  "/webhook-endpoints/:id": "workspace",
  "/webhook-deliveries/:id": "workspace",
  "/audit/:id": "workspace",
  "/jobs/:name": "workspace",
  "/jobs/:name/:id": "workspace",
};

/** Fields of queries and bodies that name a record. */
const fields: Record<string, Whose> = {
  userId: "user",
  otherId: "user",
  other: "user",
  users: "user",
  user: "app",
  // A backend sells to any customer.
  "quoteSale.user": "user",
  "createTransaction.user": "user",
  "startTrial.user": "user",
  email: "address",
  customers: "address",
  grantIds: "child",
  draftId: "child",
  challenge: "secret",
  token: "secret",
  answer: "secret",
  apps: "workspace",
  features: "workspace",
  appId: "workspace",
  app: "workspace",
  addApps: "workspace",
  removeApps: "workspace",
  packageId: "workspace",
  package: "workspace",
  packageIds: "workspace",
  featureId: "workspace",
  promotionId: "workspace",
  with: "workspace",
  except: "workspace",
  ids: "workspace",
  "getAppIntegration.key": "workspace",
  "listCheckedFeatures.key": "workspace",
  // Colleagues, whose names everyone can list. Customers are like unknown ones (comments.test.ts).
  mentions: "workspace",
  // As above. Who can't handle the item is refused like an unknown one, and so is another record (attention.test.ts).
  assigneeId: "workspace",
  recordIds: "workspace",
  // Only the caller's own are marked, whatever the ID (comments.test.ts).
  "readNotifications.until": "workspace",
  "readNotifications.only": "workspace",
  // The endpoint checks the user of the draft, and reports have an ID that the browser chooses.
  "saveDraft.userId": "own",
  "reportIncident.id": "workspace",
};

export const unknownId = "01a1dd06-0000-7000-8000-000000000000";

const acceptsOnlyIds = (schema: z.ZodType, wrap: (id: string) => unknown) =>
  schema.safeParse(wrap(unknownId)).success && !schema.safeParse(wrap("not an ID")).success;

const named = /^(email|user|other|customer|token|challenge|answer)s?$/;

/** Texts that also look like IDs to their schema, because dashes are allowed in codes. */
const notIds = /^(code|icon|group|baseGroups|feature|password)$/;

const namesRecord = (field: string, schema: z.ZodType) =>
  named.test(field) ||
  (!notIds.test(field) &&
    [
      (id: string) => id,
      (id: string) => [id],
      (id: string) => [{ id, version: 1 }],
      (id: string) => [{ id }],
    ].some((wrap) => acceptsOnlyIds(schema, wrap)));

const pathsIn = (path: string) =>
  [...path.matchAll(/:\w+/g)].map(({ index, 0: parameter }) =>
    path.slice(0, index + parameter.length),
  );

// Cursors of lists are IDs of rows that the caller has seen, and lists return only rows that the caller may see.
const cursors = new Set(["after", "before"]);

const fieldsIn = ({ query, body }: Endpoint) =>
  [query, body].flatMap((part) =>
    Object.entries(part?.shape ?? {})
      .filter(([field]) => !cursors.has(field))
      .filter(([field, schema]) => namesRecord(field, schema as z.ZodType))
      .map(([field]) => field),
  );

export type Named = {
  name: string;
  endpoint: Endpoint;
  /** The path up to the parameter, or the field. */
  place: string;
  whose: Whose | undefined;
};

export const namesOf = (name: string, endpoint: Endpoint): Named[] => [
  ...pathsIn(endpoint.path).map((place) => ({ name, endpoint, place, whose: paths[place] })),
  ...fieldsIn(endpoint).map((place) => ({
    name,
    endpoint,
    place,
    whose: fields[`${name}.${place}`] ?? fields[place],
  })),
];

export const namedRecords = Object.entries(endpoints as Record<string, Endpoint>).flatMap(
  ([name, endpoint]) => namesOf(name, endpoint),
);

export const placesOf = (whose: Whose) => namedRecords.filter((one) => one.whose === whose);

/** Records that are named but not classified. */
export const unclassified = (all: readonly Named[]) =>
  all
    .filter(({ whose }) => whose === undefined)
    .map(
      ({ name, place }) =>
        `${name} names a record by ${place}. Add it to namedRecords.testing.ts with whose record it is.`,
    );

/** Classified, but of no endpoint. */
export const unusedPlaces = () => {
  const used = new Set(namedRecords.flatMap(({ name, place }) => [place, `${name}.${place}`]));
  return [...Object.keys(paths), ...Object.keys(fields)].filter((place) => !used.has(place));
};
