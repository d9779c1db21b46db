import { readFileSync } from "node:fs";
import {
  type AnswerReason,
  answerReasons,
  type checkFeature,
  type checkFeatures,
} from "@purser/contract/entitlements/explanation";
import type { Wire } from "@purser/contract/http/endpoint";
import type {
  consumeUsage,
  recordUsage,
  reserveUsage,
  usageResults,
} from "@purser/contract/usage/endpoints";
import { expect, test } from "vitest";
import type { Check, Reason, Reservation, UsageEvent, UsageResult } from "./types.ts";

/** Fails to compile if a reply of the contract isn't what the package says. */
const accepts = <Declared>(..._replies: Declared[]) => true;

type Replies = {
  check: Wire<typeof checkFeature>["reply"];
  checkAll: Wire<typeof checkFeatures>["reply"];
  consume: Wire<typeof consumeUsage>["reply"];
  reserve: Wire<typeof reserveUsage>["reply"];
};
type Sent = Wire<typeof recordUsage>["body"]["events"][number];

test("the types of the package are those of the contract, without zod", () => {
  const reasons: readonly Reason[] = answerReasons;
  const known: readonly AnswerReason[] = reasons;
  expect(known).toBe(answerReasons);
  const none = <Type>() => [] as Type[];
  accepts<Check>(...none<Replies["check"]>());
  accepts<{ items: Check[] }>(...none<Replies["checkAll"]>());
  accepts<Check & { result: UsageResult }>(...none<Replies["consume"]>());
  accepts<{ answer: Check; reservation: Reservation | null }>(...none<Replies["reserve"]>());
  accepts<Sent>(...none<UsageEvent>());
  accepts<(typeof usageResults)[number]>(...none<UsageResult>());
});

test("the package has the version of Purser", () => {
  const versionOf = (file: string) =>
    JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8")).version;
  expect(versionOf("../package.json")).toBe(versionOf("../../package.json"));
});
