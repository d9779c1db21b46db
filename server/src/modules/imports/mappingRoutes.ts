import {
  deleteImportMapping,
  importMappingsMax,
  listImportMappings,
  saveImportMapping,
} from "@purser/contract/workspace/importMappings";
import type { FastifyInstance } from "fastify";
import { existing, Problem, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { deleteMapping, findMappings, findOneMapping, insertMapping } from "./mappingQueries.ts";
import { assertMapping, refusalOfRole } from "./rules.ts";

/** Column mappings that the team keeps by name. */
export const importMappingRoutes = (app: FastifyInstance) => {
  serve(app, listImportMappings, async ({ db, query: { kind } }) => ({
    items: await findMappings(db, kind),
  }));

  serve(app, saveImportMapping, async ({ db, session, body }) => {
    const { kind, fields } = body;
    refuse(refusalOfRole(session.role, kind));
    assertMapping(
      kind,
      fields.map(({ column }) => column),
      fields.map(({ field }) => field),
    );
    const id = await insertMapping(db, { ...body, createdBy: session.userId });
    if (!id)
      throw new Problem(
        "wrong_state",
        message("import_mappings_full", "At most {max} mappings can be saved. Delete one first.", {
          max: importMappingsMax,
        }),
      );
    return existing(await findOneMapping(db, id), "importMapping");
  });

  serve(app, deleteImportMapping, async ({ db, session, params: { id } }) => {
    const { createdBy } = existing(await findOneMapping(db, id), "importMapping");
    if (createdBy.id !== session.userId && session.role !== "owner")
      throw new Problem(
        "forbidden",
        message("import_mapping_not_own", "Only {name} or an owner can delete this mapping.", {
          name: createdBy.name,
        }),
      );
    await deleteMapping(db, id);
  });
};
