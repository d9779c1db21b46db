import type { createApp } from "@purser/contract/apps";
import type { Wire } from "@purser/contract/endpoint";
import type { App } from "./queries.ts";

/** What the form holds: the details of an app, with nothing left out. */
type Body = Wire<typeof createApp>["body"];
export type AppValues = {
  [Name in Exclude<keyof Body, "reason">]-?: Exclude<Body[Name], undefined>;
};

export const emptyApp: AppValues = {
  name: "",
  code: "",
  description: "",
  platforms: [],
  icon: "apps",
  supportEmail: null,
};

export const valuesOf = ({
  name,
  code,
  description,
  platforms,
  icon,
  supportEmail,
  version,
}: App) => ({
  values: { name, code, description, platforms, icon, supportEmail },
  version,
});
