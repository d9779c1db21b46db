import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { patiently } from "#patience.testing.ts";
import { sized } from "#runs.testing.ts";
import { testProduct } from "#testing.ts";
import { addUsers, attemptSignIn, movableClock } from "../testing.ts";

const product = await testProduct({ clock: movableClock() });

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** How much slower the slowest kind is than the fastest, by their medians. A row is one round of all kinds. */
const spreadOf = (rows: number[][]) => {
  const medians = (rows[0] ?? []).map((_, kind) => median(rows.map((row) => row[kind] ?? 0)));
  return Math.max(...medians) / Math.min(...medians) - 1;
};

const shuffled = (values: number[]) =>
  values
    .map((value) => ({ value, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);

/** The spread by chance on a busy machine: the third largest of 200 shuffles of the kinds. */
const spreadByChance = (rows: number[][]) =>
  Array.from({ length: 200 }, () => spreadOf(rows.map(shuffled))).sort((a, b) => a - b)[197] ?? 0;

/** Addresses of every kind that can not sign in, as many of each as there are attempts. */
const addOutsiders = async (count: number) => ({
  unknown: Array.from({ length: count }, () => `${randomUUID()}@example.com`),
  known: (await addUsers(product, count)).map(({ email }) => email),
  suspended: (await addUsers(product, count, { status: "suspended" })).map(({ email }) => email),
  invited: (await addUsers(product, count, { status: "invited", secured: false })).map(
    ({ email }) => email,
  ),
  customer: (await addUsers(product, count, { role: null })).map(({ email }) => email),
});

/** The times of refusals by kind, measured in turns so that a busy moment affects all kinds alike. */
const measureRefusals = async (turns: number) => {
  const outsiders = Object.values(await addOutsiders(turns));
  const rows: number[][] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const row: number[] = [];
    for (let step = 0; step < outsiders.length; step += 1) {
      const kind = (turn + step) % outsiders.length;
      const email = outsiders[kind]?.[turn] ?? "";
      const start = performance.now();
      const { status } = await attemptSignIn(product, { email, password: "wrong" });
      row[kind] = performance.now() - start;
      expect(status).toBe(401);
    }
    rows.push(row);
  }
  return rows;
};

test("T15 gives everyone who can not sign in the same reply, byte for byte", async () => {
  const outsiders = await addOutsiders(1);
  const attempts = [
    { email: outsiders.known[0] ?? "", password: "wrong" },
    // These can not sign in even with the correct password.
    { email: outsiders.suspended[0] ?? "" },
    { email: outsiders.customer[0] ?? "" },
    { email: outsiders.invited[0] ?? "" },
    { email: outsiders.unknown[0] ?? "" },
  ];
  const answers = [];
  for (const attempt of attempts) {
    const { status, text, headers, cookies } = await attemptSignIn(product, attempt);
    const { "x-request-id": id, date: _, ...others } = headers;
    expect(id).toBeTruthy();
    answers.push({ status, text: text.replaceAll(String(id), ""), others, cookies });
  }
  expect(answers[0]?.status).toBe(401);
  for (const answer of answers) expect(answer).toEqual(answers[0]);
});

test("T15 makes an unknown address wait after wrong attempts like a known one", async () => {
  const outsiders = await addOutsiders(1);
  for (const [email = ""] of Object.values(outsiders)) {
    const statuses = [];
    for (let attempt = 0; attempt < 6; attempt += 1)
      statuses.push((await attemptSignIn(product, { email, password: "wrong" })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  }
});

test(
  "T15 takes equally long to refuse whether or not the account exists",
  async ({ annotate }) => {
    const leaks = [];
    for (let measurement = 0; measurement < 3; measurement += 1) {
      const rows = await measureRefusals(sized({ gate: 30, nightly: 100 }));
      const medians = (rows[0] ?? []).map((_, kind) => median(rows.map((row) => row[kind] ?? 0)));
      const [spread, chance] = [spreadOf(rows), spreadByChance(rows)];
      await annotate(JSON.stringify({ medians, spread, chance }));
      if (spread <= Math.max(0.05, chance)) return;
      leaks.push({ medians, spread, chance });
    }
    expect(leaks, "three measurements in a row tell the kinds apart").toEqual([]);
  },
  patiently(180_000),
);
