import type { Db } from "#platform/db/db.ts";
import { isDatabaseAway } from "#platform/http/errors.ts";
import { openMemory, type Remembered, staleMsMax } from "#platform/memory.ts";
import type { Platform } from "#platform/platform.ts";
import {
  answerKnown,
  type Checked,
  type Known,
  nextChange,
  type Question,
  readAllKnown,
  readKnown,
  type Scope,
  staleMsOf,
} from "./check.ts";

/** How many answers an instance keeps. One takes about 2 kB. */
const answersMax = 50_000;

/** Changes of these can change an answer. */
const deciding = new Set([
  ...["apps", "features", "packages", "package_versions", "version_values"],
  ...["users", "grants", "subscriptions"],
]);

/** Of other instances only these, which change rarely and for many customers. Others take a second at most. */
const announced = new Set(["apps", "features"]);

/** Clocks of instances may differ by this much. */
const clocksMs = 1000;

type Settings = Pick<Platform, "announcements" | "config"> & { db: Db };

/** Whether the answer is the same as when it was read, by time alone. */
const isSame = (known: Known, readAt: Date, at: Date) => {
  const next = nextChange(known, readAt);
  return next === null || next > at;
};

const keyOf = ({ appId }: Pick<Scope, "appId">, { user, feature }: Question) =>
  `${appId} ${feature} ${user}`;

const listKeyOf = ({ appId }: Pick<Scope, "appId">, user: string) => `${appId} ${user}`;

/** Asked with the version of a change, the answer is no older than the change. */
type Asking = Scope & { minVersion?: number | undefined };

type Found = Pick<Remembered<unknown>, "readAt" | "isStale">;

const checkedOf = (
  { readAt, isStale }: Found,
  known: Known,
  scope: Scope,
  amount = 1,
): Checked => ({
  ...answerKnown(known, { ...scope, amount }),
  readAt,
  isStale,
});

/**
 * The answer is calculated once for what was read, until it changes by time. Forgotten as soon as it would be read again,
 * because what was read is kept for an hour, and the answer with its text would double the memory.
 */
const openCalculated = (freshMs: number) => {
  let calculated = new WeakMap<Known, Checked>();
  let emptiedAt = 0;
  return (found: Found, known: Known, scope: Scope, amount = 1) => {
    if (found.isStale || amount !== 1) return checkedOf(found, known, scope, amount);
    if (scope.at.getTime() - emptiedAt >= freshMs) {
      calculated = new WeakMap();
      emptiedAt = scope.at.getTime();
    }
    const last = calculated.get(known);
    if (last && (last.changesAt === null || scope.at < last.changesAt)) return last;
    const checked = checkedOf(found, known, scope);
    calculated.set(known, checked);
    return checked;
  };
};

/**
 * Answers checks from memory for up to a second. There is nothing to invalidate that could get lost: what other
 * instances change is read again after that second at the latest, and what this one changes at once.
 */
export const openCachedChecks = ({ db, announcements, config }: Settings) => {
  const settings = {
    freshMs: config.CHECK_CACHE_MS,
    max: answersMax,
    isAway: isDatabaseAway,
  };
  const answers = openMemory<Known | null>({
    ...settings,
    // Without a feature there is no fallback either.
    staleMsOf: (known) => (known ? staleMsOf(known) : 0),
  });
  // The list is used for as long as each of its answers.
  const lists = openMemory<Known[]>({
    ...settings,
    max: answersMax / 10,
    staleMsOf: (known) => Math.min(...known.map(staleMsOf), staleMsMax),
  });

  const expireBy = (entities: ReadonlySet<string>) => (changes: { entity: string }[]) => {
    if (!changes.some(({ entity }) => entities.has(entity))) return;
    answers.expire();
    lists.expire();
  };
  announcements.listenHere(expireBy(deciding));
  announcements.listen(expireBy(announced));

  const newerThan = ({ minVersion }: Asking) =>
    minVersion === undefined ? 0 : minVersion + clocksMs;

  const calculate = openCalculated(config.CHECK_CACHE_MS);

  const one = async (scope: Asking, question: Question, read: () => Promise<Known | undefined>) => {
    const found = await answers.get(
      {
        key: keyOf(scope, question),
        now: scope.at,
        read: async () => (await read()) ?? null,
        isValid: (known, readAt) => known !== null && isSame(known, readAt, scope.at),
      },
      newerThan(scope),
    );
    return found.value && calculate(found, found.value, scope, question.amount);
  };

  return {
    /** In the order of the questions, or null for a feature that the app doesn't have. */
    many: (scope: Asking, questions: readonly Question[]) => {
      // If something has to be read, all questions are, with the same few statements.
      let reading: ReturnType<typeof readKnown> | null = null;
      const read = async (place: number) => {
        reading ??= readKnown(db, scope, questions);
        return (await reading)[place];
      };
      return Promise.all(
        questions.map((question, place) => one(scope, question, () => read(place))),
      );
    },
    /** For all features of the app. */
    all: async (scope: Asking, user: string) => {
      const found = await lists.get(
        {
          key: listKeyOf(scope, user),
          now: scope.at,
          read: () => readAllKnown(db, scope, user),
          isValid: (known, readAt) => known.every((each) => isSame(each, readAt, scope.at)),
        },
        newerThan(scope),
      );
      return found.value.map((known) => checkedOf(found, known, scope));
    },
    /** Whether checks can be answered while the database can't be reached. */
    canAnswer: (now: Date) => answers.isUsable(now) || lists.isUsable(now),
    /** After usage was counted. */
    expire: (appId: string, question: Question) => {
      answers.expireOne(keyOf({ appId }, question));
      lists.expireOne(listKeyOf({ appId }, question.user));
    },
  };
};
export type CachedChecks = ReturnType<typeof openCachedChecks>;
