import { type AnswerReason, answerReasons } from "@purser/contract/entitlements/explanation";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { patiently } from "#patience.testing.ts";
import { isNightly, sized } from "#runs.testing.ts";
import { testProduct } from "#testing.ts";
import {
  anyTick,
  momentOf,
  nameWorld,
  type World,
  worlds,
} from "../testing/arbitraryHistory.testing.ts";
import {
  type Circumstances,
  circumstances,
  circumstancesOf,
  type ExpectedAnswer,
  expectedAnswer,
  storeCircumstances,
} from "../testing/questionOracle.testing.ts";
import { storeWorld } from "../testing/storeWorld.testing.ts";
import { checkMany } from "./check.ts";
import { explain } from "./explain.ts";

const { owner, platform } = await testProduct();
const zone = "UTC";
const reasons = new Set<AnswerReason>();

const questionsMin = sized({ gate: 100, nightly: 100_000 });
const momentsPerWorld = sized({ gate: 2, nightly: 5 });
/** A world has few or no questions while its apps are archived. Worlds are tested until there are enough questions. */
const numRuns = sized({ gate: 20, nightly: 2000 });

const ticks = fc.array(anyTick, { minLength: momentsPerWorld, maxLength: momentsPerWorld });

const answerOf = ({ allowed, reason, value, limit, remaining }: ExpectedAnswer) => ({
  allowed,
  reason,
  value,
  limit,
  remaining,
});

type Question = { customer: number; feature: number; code: string; appId: string };

type Asking = { appId: string; tick: number; oneByOne?: true };

/** The answers for an app in the order of the questions, each for the amount. One question has a statement of its own. */
const checked = async (
  world: World,
  { appId, tick, oneByOne }: Asking,
  questions: readonly (Question & { amount: number })[],
) => {
  const asked = questions.map(({ customer, code, amount }) => ({
    user: world.customers[customer]?.id ?? "",
    feature: code,
    amount,
  }));
  const scope = { appId, at: momentOf(tick), zone };
  const requests = oneByOne ? asked.map((one) => [one]) : [asked];
  const answers = await Promise.all(requests.map((each) => checkMany(platform.db, scope, each)));
  return answers.flat().map((one) => one && answerOf(one.answer));
};

/** What the team sees of a customer, for each feature that is explained. */
const explainedTo = async (world: World, customer: number, tick: number) => {
  const { items } = await explain(platform.db, world.customers[customer]?.id ?? "", {
    at: momentOf(tick),
    isPast: false,
    zone,
  });
  const places = new Map(world.features.map(({ id }, place) => [id, place]));
  return items.flatMap((item) => {
    const feature = places.get(item.feature.id);
    if (feature === undefined) return [];
    const { code } = item.feature;
    return [{ customer, feature, code, appId: item.app.id, explained: answerOf(item) }];
  });
};

const compareAt = async (world: World, given: Circumstances, tick: number) => {
  const explained = await Promise.all(
    world.customers.map((_, customer) => explainedTo(world, customer, tick)),
  );
  const byApp = Map.groupBy(explained.flat(), ({ appId }) => appId);
  for (const [appId, questions] of byApp) {
    const ones = questions.map((one) => ({ ...one, amount: 1 }));
    const oneByOne = await checked(world, { appId, tick, oneByOne: true }, ones);
    expect(oneByOne).toEqual(questions.map((one) => one.explained));
    const amounts = questions.map((one) => ({
      ...one,
      amount: circumstancesOf(given, one.feature, one.customer).amount,
    }));
    for (const asked of [ones, amounts]) {
      const answers = await checked(world, { appId, tick }, asked);
      expect(answers).toEqual(asked.map((one) => expectedAnswer(world, given, { ...one, tick })));
      for (const answer of answers) if (answer) reasons.add(answer.reason);
    }
  }
  return explained.flat().length;
};

test(`the answer of a check equals the explanation and the rules, for ${questionsMin} questions`, {
  timeout: patiently(sized({ gate: 60_000, nightly: 1_800_000 })),
}, async () => {
  const client = await owner.connect();
  onTestFinished(() => client.release());
  let questions = 0;
  await fc.assert(
    fc.asyncProperty(worlds, circumstances, ticks, async (generated, given, requested) => {
      if (questions >= questionsMin) return;
      const world = nameWorld(generated);
      await owner.query("truncate features, apps, feature_use, subscriptions, grants cascade");
      await storeWorld(client, world);
      await storeCircumstances(client, world, given, requested.map(momentOf));
      for (const tick of requested) questions += await compareAt(world, given, tick);
    }),
    { numRuns, endOnFailure: true },
  );
  expect(questions).toBeGreaterThanOrEqual(questionsMin);
  // Only drafts are inactive, and they aren't explained. Few samples don't have every reason.
  const others: AnswerReason[] = ["unknown feature", "app inactive"];
  const every = answerReasons.filter((reason) => !others.includes(reason));
  const missing = every.filter((reason) => !reasons.has(reason));
  expect(isNightly ? missing : []).toEqual([]);
});
