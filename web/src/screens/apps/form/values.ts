import type { createApp } from "@purser/contract/apps/endpoints";
import { appFields, appWritable } from "@purser/contract/apps/fields";
import { defaultsOf, pick } from "@purser/contract/fields/declarations";
import type { Wire } from "@purser/contract/http/endpoint";
import { toFormLabels } from "#ui/form/Field.tsx";
import type { FormValues } from "#ui/form/formValues.ts";
import { platformsOf } from "../labels.ts";
import type { App } from "../queries.ts";

export type AppValues = FormValues<Wire<typeof createApp>["body"]>;

export const emptyApp: AppValues = { name: "", code: "", ...defaultsOf(appFields) };

export const valuesOf = (app: App) => ({ values: pick(app, appWritable), version: app.version });

export const formLabels = toFormLabels<AppValues, typeof appFields>(appFields, {
  platforms: { show: platformsOf },
});
