import { z } from "zod";
import { id } from "../fields/primitives.ts";
import { text, token } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { rule } from "../messages/rules.ts";

/** A page reports an uncaught error or an automatic reload. */
export const incidentKinds = ["error", "reload"] as const;

/** An incident in a browser, which is logged and counted. */
export const reportIncident = endpoint({
  method: "POST",
  path: "/incidents",
  summary: "Report an error or automatic reload of a page",
  permission: "anyone",
  keyed: false,
  body: z.strictObject({
    /** The number that the user saw, to find it in the log. */
    id,
    kind: z.enum(incidentKinds),
    message: text({ max: 500, lines: true }),
    stack: text({ max: 4000, lines: true }),
    path: text({ max: 500 }),
    build: token(/^[a-f0-9]{0,16}$/, rule("build_id_invalid", "Send the ID of a build.")),
  }),
});
