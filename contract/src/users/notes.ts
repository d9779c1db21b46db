import { z } from "zod";
import { id, instant, record } from "../fields/primitives.ts";
import { plain, text } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";

const noteText = text({ min: 1, max: 4000, lines: true });

const note = z
  .object({
    id,
    author: z.object({ id, name: plain }),
    text: plain,
    createdAt: instant,
    crossedOutAt: instant.nullable(),
  })
  .meta({ id: "UserNote" });
export type UserNote = z.output<typeof note>;

export const listUserNotes = endpoint({
  method: "GET",
  path: "/users/:id/notes",
  summary: "List the latest 100 notes about a user",
  permission: "users:read",
  params: record,
  reply: z.object({ items: z.array(note) }),
});

export const addUserNote = endpoint({
  method: "POST",
  path: "/users/:id/notes",
  summary: "Add a note about a user",
  permission: "users:write",
  params: record,
  body: z.strictObject({ text: noteText }),
  reply: note,
  status: 201,
});

export const crossOutUserNote = endpoint({
  method: "POST",
  path: "/users/:id/notes/:noteId/cross-out",
  summary: "Cross out one of your notes",
  permission: "users:write",
  params: record.extend({ noteId: id }),
  body: z.strictObject({}),
  reply: note,
  refusals: ["wrong_state"],
});
