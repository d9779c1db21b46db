import type { Holder, Permission, Role } from "@purser/contract/auth/permissions";
import type { EntityName } from "@purser/contract/entities";
import type { Endpoint } from "@purser/contract/http/endpoint";
import type { Fields } from "@purser/contract/http/list";
import type { ListJob } from "@purser/contract/http/listJobs";
import type { Message } from "@purser/contract/messages/message";
import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import type { Format } from "../cells.ts";
import type { List } from "../list.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** What jobs do with the rows of each list, by its name. */
    listSources: Map<EntityName, ListSource>;
  }
}

export type AnyList = List<Fields, object>;

/** What the user entered for all rows. */
export type Given = Readonly<Record<string, unknown>>;

export type BulkAction = Exclude<ListJob["action"], "export">;

/** A bulk action, which makes the calls that users make for single rows. */
export type Bulk = {
  permission: Permission;
  listOf: (reader: Role | Holder) => AnyList;
  /** The SQL of the name of a row `r`, if it isn't its column `name`. */
  name?: string;
  actions: Partial<
    Record<
      BulkAction,
      {
        /** Takes one record, or many as the field `targets` of its body. */
        endpoint: Endpoint;
        targets?: string;
        undo: BulkAction | null;
        /** The fields of the body that the user enters for all rows. */
        given?: readonly string[];
        /** The SQL of fields of a row `r` before the action, which its undo gets in the body. */
        remembers?: Readonly<Record<string, string>>;
        /** The codes of refusals which mean that there was nothing to change. */
        unchanged: readonly string[];
      }
    >
  >;
  rules: BulkRules;
};

type BulkRules = {
  /** The SQL of the fields of a row `r` that decide whether it can be changed. */
  state: Record<string, string>;
  refusalOf: (
    state: never,
    action: BulkAction,
    asked: { given: Given; now: Date },
  ) => { detail: Message } | null;
  /** Counts of other records, for the rows of `changed (id, state)`. */
  consequences?: Partial<Record<BulkAction, Record<string, string>>>;
};

/** A list as a file. */
export type ExportSource = {
  name: string;
  permission: Permission;
  listOf: (reader: Role | Holder) => AnyList;
  row: z.ZodObject;
  isMinus?: ((row: object) => boolean) | undefined;
};

export type ListSource = { bulk?: Bulk; file?: ExportSource };

/** The query of an export as it is stored. */
export type StoredExport = {
  q?: string | undefined;
  f: { field: string; operator: string; values: string[] }[];
  columns: string[];
  format: Format;
  zone?: string | undefined;
};

export const addSource = (
  { listSources }: FastifyInstance,
  list: EntityName,
  source: ListSource,
) => {
  listSources.set(list, { ...listSources.get(list), ...source });
};
