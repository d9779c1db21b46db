import { z } from "zod";
import { instant } from "../fields/primitives.ts";
import { plain } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { wholeNumber } from "../http/list.ts";
import { customerIdentifier } from "./customerTokens.ts";

/** The longest time that a snapshot is valid. */
export const snapshotHoursMax = 168;

/** The media type in the header of a snapshot, so that no other token of this installation is taken for one. */
export const snapshotType = "purser-snapshot+jwt";

export const getSnapshot = endpoint({
  method: "GET",
  path: "/snapshots",
  summary: "Sign the entitlements of a customer for use without a connection",
  permission: "app key",
  publishable: true,
  query: z.strictObject({
    /** Named in the request with a server key, or in the token with a publishable key. */
    user: customerIdentifier.optional(),
    /** How long it is valid. It expires earlier if a grant ends earlier. */
    hours: wholeNumber(1, snapshotHoursMax).default(24),
  }),
  reply: z
    .object({
      /** A compact JWS, signed with a key of `/.well-known/jwks.json`. */
      token: plain,
      expiresAt: instant,
    })
    .meta({ id: "Snapshot" }),
});
