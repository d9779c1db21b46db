import { z } from "zod";
import { id, record } from "../fields/primitives.ts";
import { plain } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { listName, savedView } from "./preferences.ts";

/** Most shared views of one list. */
export const sharedViewsMax = 20;

const details = savedView.extend({
  /** Opens first for team members who have no default view of their own. Only owners can set it. */
  isDefault: z.boolean().default(false),
});
export type SharedViewDetails = z.output<typeof details>;

/** Filters, order and columns of a list that the whole team can use. */
export const sharedView = z
  .object({
    id,
    list: plain,
    name: plain,
    q: plain.nullable(),
    f: z.array(plain),
    sort: plain.nullable(),
    /** Null if it keeps the columns of each team member. */
    cols: z.array(plain).nullable(),
    isDefault: z.boolean(),
    /** Who shared it; null after the account was deleted. */
    owner: z.object({ id, name: plain }).nullable(),
  })
  .meta({ id: "SharedView" });
export type SharedView = z.output<typeof sharedView>;

export const listSharedViews = endpoint({
  method: "GET",
  path: "/views",
  summary: "List the shared views of all lists",
  permission: "signed in",
  reply: z.object({ items: z.array(sharedView) }),
});

export const shareView = endpoint({
  method: "POST",
  path: "/views",
  summary: "Share a view of a list with the team",
  permission: "views:share",
  body: details.extend({ list: listName }),
  reply: sharedView,
  status: 201,
  refusals: ["wrong_state"],
});

export const changeSharedView = endpoint({
  method: "PUT",
  path: "/views/:id",
  summary: "Update a shared view",
  permission: "views:share",
  params: record,
  body: details,
  reply: sharedView,
});

export const deleteSharedView = endpoint({
  method: "DELETE",
  path: "/views/:id",
  summary: "Delete a shared view",
  permission: "views:share",
  params: record,
});
