import type { CatalogPackage } from "@purser/contract/catalog/catalog";
import { pick } from "@purser/contract/fields/declarations";
import { packageWritable } from "@purser/contract/packages/fields";
import { offerOf, type VersionPrice } from "@purser/contract/packages/prices";
import { refusalToArchive, sameTerms } from "#modules/packages/rules.ts";
import { message } from "#platform/messages.ts";
import { isSame, pricesInOrder } from "../file/orderRules.ts";
import { type Content, changeOf, isEmpty, reportContents, shownContents } from "./contentRules.ts";
import {
  type DiffRequest,
  type Outcome,
  outcomeOf,
  type StoredCatalog,
  type StoredPackage,
} from "./outcomeRules.ts";
import { type Collected, draftsKept, fieldsOf, notCreated, type Path } from "./stepRules.ts";

type Terms = { trialDays: number; prices: readonly VersionPrice[] };

const shownTerms = (before: Terms, after: Terms) => {
  const amounts = ({ prices }: Terms) =>
    new Map(
      pricesInOrder(prices).map((price) => [
        offerOf(price),
        price.perUnit ? `${price.amount} per unit` : price.amount,
      ]),
    );
  const [old, next] = [amounts(before), amounts(after)];
  const offers = [...new Set([...old.keys(), ...next.keys()])];
  return [
    ...fieldsOf({ trialDays: before.trialDays }, { trialDays: after.trialDays }, "package"),
    ...offers
      .map((offer) => ({
        field: `prices/${offer}`,
        before: old.get(offer) ?? null,
        after: next.get(offer) ?? null,
      }))
      .filter((one) => one.before !== one.after),
  ];
};

const ownOf = (one: Omit<CatalogPackage, "status">) => {
  const { trialDays: _, prices: _prices, ...own } = pick(one, packageWritable);
  return own;
};

const noteOf = (newest: StoredPackage["newest"] | undefined, touchesDraft: boolean) => {
  if (!newest)
    return message(
      "catalog_package_new",
      "New packages start as a draft. Nothing is on sale until you publish it.",
    );
  if (!touchesDraft) return null;
  const { number, state } = newest;
  return state === "draft"
    ? message("catalog_draft_changed", "Saved in the draft, version {number}.", { number })
    : message("catalog_draft_created", "Creates a draft, version {next}, from version {number}.", {
        next: number + 1,
        number,
      });
};

const noContent: Terms & Content = { trialDays: 0, prices: [], apps: {}, perUnit: {} };

/** The parts of a package that differ from the stored one. A part without differences is null. */
const differencesOf = (stored: StoredPackage | null, wanted: CatalogPackage) => {
  const before = stored ?? noContent;
  const own = ownOf(wanted);
  const terms = { trialDays: wanted.trialDays, prices: pricesInOrder(wanted.prices) };
  const contents = changeOf(before, wanted);
  return {
    own: stored && isSame(ownOf(stored), own) ? null : own,
    terms: sameTerms({ ...before, prices: [...before.prices] }, terms) ? null : terms,
    contents: isEmpty(contents) ? null : contents,
  };
};
type Differences = ReturnType<typeof differencesOf>;

const shownChanges = (stored: StoredPackage | null, { own, terms, contents }: Differences) => [
  ...(own ? fieldsOf(stored && ownOf(stored), own, "package") : []),
  ...(stored?.status === "archived"
    ? [{ field: "status", before: "archived", after: "active" }]
    : []),
  ...(terms ? shownTerms(stored ?? noContent, terms) : []),
  ...(contents ? shownContents(contents) : []),
];

const actionOn = (stored: StoredPackage | null) => {
  if (!stored) return "create";
  return stored.status === "archived" ? "restore" : "change";
};

type Pair = { stored: StoredPackage | null; wanted: CatalogPackage; path: Path };

const diffPackage = (found: Collected, outcome: Outcome, { stored, wanted, path }: Pair) => {
  const { code, name } = wanted;
  const { own, terms, contents } = differencesOf(stored, wanted);
  const before = stored?.apps ?? {};
  if (contents) reportContents(found, { outcome, before, wanted, change: contents, path });
  const action = actionOn(stored);
  if (!own && !terms && !contents && action === "change") return;
  const changes = shownChanges(stored, { own, terms, contents });
  const note = noteOf(stored?.newest, terms !== null || contents !== null);
  found.steps.push({
    shown: { action, what: "package", code, name, changes, note },
    work: {
      what: "package",
      id: stored?.id ?? null,
      terms,
      contents,
      // Written even if only the terms differ, so that the row gets a new version and stale forms are refused.
      own: own ?? (terms && ownOf(wanted)),
      status: action === "restore" ? "active" : null,
    },
  });
};

const archive = (found: Collected, stored: StoredPackage, path: Path | null) => {
  const { id, code, name, status } = stored;
  const refusal = refusalToArchive(stored);
  if (refusal) {
    found.blockingIssues.push({ what: "package", code, message: refusal.detail, path });
    return;
  }
  found.steps.push({
    shown: {
      action: "archive",
      what: "package",
      code,
      name,
      note: message("catalog_package_archived", "Subscribers keep their access."),
      changes: [{ field: "status", before: status, after: "archived" }],
    },
    work: { what: "package", id, own: null, terms: null, contents: null, status: "archived" },
  });
};

/** Compares packages. Their content goes into drafts, because a file never publishes. */
export const diffPackages = (found: Collected, stored: StoredCatalog, request: DiffRequest) => {
  const outcome = outcomeOf(stored, request);
  const packages = new Map(stored.packages.map((one) => [one.code, one]));
  const unmade: string[] = [];
  for (const [place, wanted] of request.wanted.packages.entries()) {
    const path = ["packages", place];
    const known = packages.get(wanted.code) ?? null;
    if (wanted.status !== "archived") diffPackage(found, outcome, { stored: known, wanted, path });
    else if (!known) unmade.push(wanted.code);
    else if (known.status !== "archived") archive(found, known, [...path, "status"]);
  }
  if (unmade.length > 0) found.notes.push(notCreated.package(unmade));
  if (!request.archiveMissing) return;
  const named = new Set(request.wanted.packages.map(({ code }) => code));
  const missing = stored.packages.filter(({ code }) => !named.has(code));
  for (const one of missing) if (one.status === "active") archive(found, one, null);
  const drafts = missing.filter(({ status }) => status === "draft").length;
  if (drafts > 0) found.notes.push(draftsKept.package(drafts));
};
