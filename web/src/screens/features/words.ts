import type { enforcements, fallbacks, featureFields } from "@purser/contract/features";
import {
  type Combining,
  type FeatureKind,
  type Option,
  type Reset,
  wordsOf,
} from "@purser/contract/values";
import { kindSigns } from "#ui/FeatureKind.tsx";
import type { FormWords } from "#ui/form/Field.tsx";
import { lifeOptions } from "#ui/life.tsx";
import type { FieldWords } from "#ui/list/filterWords.ts";
import { anyApp } from "../apps/queries.ts";
import type { FeatureValues } from "./values.ts";

export const kindWords = {
  switch: { ...kindSigns.switch, help: "On or off: people have it, or they do not." },
  limit: { ...kindSigns.limit, help: "A number to stay within, such as seats or projects." },
  metered: {
    ...kindSigns.metered,
    help: "An allowance that is used up and fills again, such as exports a month.",
  },
  choice: {
    ...kindSigns.choice,
    help: "One of several options, each giving more than the one before.",
  },
} satisfies Record<FeatureKind, object>;

export const combiningWords: Record<Combining, { label: string; help: string }> = {
  largest: { label: "The largest counts", help: "Packages of 10 and 25 give 25 together." },
  sum: { label: "They add up", help: "Packages of 10 and 25 give 35 together." },
};

/** The same of any kind, as a fact. */
export const combiningFacts = (kind: FeatureKind, combining: Combining) => {
  if (kind === "switch") return "On if any is on";
  if (kind === "choice") return "The highest counts";
  return combiningWords[combining].label;
};

export const resetWords: Record<Reset, string> = {
  never: "Never",
  hour: "Every hour",
  day: "Every day",
  week: "Every week",
  month: "Every month",
  year: "Every year",
};

export const enforcementWords: Record<
  (typeof enforcements)[number],
  { label: string; help: string }
> = {
  hard: { label: "Stop them", help: "The app refuses what they do not have." },
  soft: { label: "Only tell them", help: "The app lets it pass, and says so." },
};

export const fallbackWords: Record<(typeof fallbacks)[number], { label: string; help: string }> = {
  "last known": {
    label: "The last answer",
    help: "The app goes on with what it heard last.",
  },
  allow: { label: "Allow", help: "Nobody is kept out meanwhile." },
  deny: { label: "Deny", help: "Nobody gets it meanwhile." },
};

export const fieldWords: FieldWords<typeof featureFields> = {
  app: { label: "App", relation: anyApp },
  kind: {
    label: "Kind",
    options: { switch: "Switch", limit: "Limit", metered: "Metered", choice: "Choice" },
  },
  status: { label: "Status", options: lifeOptions },
  name: { label: "Name" },
  code: { label: "Code" },
  createdAt: { label: "Created" },
  updatedAt: { label: "Changed" },
};

export const unitWords = (unit: { one: string; many: string } | null) =>
  unit ? `${unit.one}, ${unit.many}` : "";

export const optionList = (options: readonly Option[]) =>
  options.map(({ name, code }) => name || code).join(", ");

const optionPart = ([place = "", part = ""]: string[]) =>
  `${part === "name" ? "Name" : "Code"} of option ${Number(place) + 1}`;

export const formWords: FormWords<FeatureValues> = {
  appId: { label: "App" },
  name: { label: "Name" },
  code: { label: "Code" },
  description: { label: "Description" },
  kind: { label: "Kind", show: (kind) => kindWords[kind].label },
  unit: {
    label: "Unit",
    show: unitWords,
    part: ([part]) => (part === "one" ? "One of it" : "Several of it"),
  },
  reset: { label: "Full again", show: (reset) => (reset ? resetWords[reset] : "") },
  combining: {
    label: "With several packages",
    show: (combining) => combiningWords[combining].label,
  },
  options: { label: "Options", show: optionList, part: optionPart },
  defaultValue: { label: "Without a package", show: (value, shape) => wordsOf(shape, value) },
  enforcement: { label: "Going beyond it", show: (value) => enforcementWords[value].label },
  fallback: { label: "If nobody answers", show: (value) => fallbackWords[value].label },
};
