import { z } from "zod";
import { id, record } from "../fields/primitives.ts";
import { endpoint } from "../http/endpoint.ts";
import { comment, newComment } from "../workspace/comments.ts";

export const listUserNotes = endpoint({
  method: "GET",
  path: "/users/:id/notes",
  summary: "List the latest 100 notes about a user",
  permission: "users:read",
  params: record,
  reply: z.object({ items: z.array(comment) }),
});

export const addUserNote = endpoint({
  method: "POST",
  path: "/users/:id/notes",
  summary: "Add a note about a user",
  permission: "users:write",
  params: record,
  body: newComment,
  reply: comment,
  status: 201,
});

export const crossOutUserNote = endpoint({
  method: "POST",
  path: "/users/:id/notes/:noteId/cross-out",
  summary: "Cross out one of your notes",
  permission: "users:write",
  params: record.extend({ noteId: id }),
  body: z.strictObject({}),
  reply: comment,
  refusals: ["wrong_state"],
});
