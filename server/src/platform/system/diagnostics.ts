import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { type Config, variables } from "#config.ts";
import type { Db } from "../db/db.ts";
import { findFailedJobs } from "../jobs/failedJobs.ts";
import type { Platform } from "../platform.ts";
import { findSettings } from "../settings.ts";
import { findInstances } from "./instances.ts";
import { findDatabase, findQueues, findStorage } from "./queries.ts";
import { version } from "./version.ts";

// A file that users attach to public issues. So a value is only in it if its kind can't be a secret or personal.

type Variable = (typeof variables.shape)[keyof typeof variables.shape];

const isChoice = (schema: Variable) =>
  schema instanceof z.ZodDefault && schema.unwrap() instanceof z.ZodEnum;

/** Numbers, switches and choices are shown. Of everything else, such as URLs, only whether it is set. */
const shownVariable = (schema: Variable, value: unknown) => {
  if (value === undefined || isDeepStrictEqual(value, schema.safeParse(undefined).data))
    return "default";
  const isShown = typeof value === "number" || typeof value === "boolean" || isChoice(schema);
  return isShown ? value : "set";
};

export const variablesIn = (config: Partial<Config>) =>
  Object.fromEntries(
    Object.entries(variables.shape).map(([name, schema]) => [
      name,
      shownVariable(schema, config[name as keyof Config]),
    ]),
  );

/** Without names, addresses, groups and amounts. */
const settingsIn = async (db: Db) => {
  const settings = await findSettings(db);
  const { timeZone, currencies, twoFactorRoles, twoFactorGraceDays, passwordsAllowed } = settings;
  const { graceDays, approvalRules, approvalDays, waitingHours, sendDocuments } = settings;
  return {
    timeZone,
    currencies,
    twoFactorRoles,
    twoFactorGraceDays,
    passwordsAllowed,
    graceDays,
    approvalRules,
    approvalDays,
    waitingHours,
    sendDocuments,
    documentRetentionYears: settings.documentRetentionYears,
    retention: settings.retention,
  };
};

const hidden = "…";
/** Codes of SMTP servers, PostgreSQL and the system. */
const errorCode = /^(?:\d{3}|\d\.\d\.\d{1,3}|\d[0-9A-Z]{4}|E[A-Z]{3,20})[.,:;]?$/;
const plainWord = /^[A-Za-z][A-Za-z'-]{0,19}[.,:;!]?$/;
const isVariable = (word: string) => Object.hasOwn(variables.shape, word.replace(/[.,:;]$/, ""));
const constraintName = /^"[a-z]+(?:_[a-z]+)+"[.,:;]?$/;

/**
 * The words of an error without what may be data: quoted texts, addresses, IDs and other words with digits or signs.
 * Mail servers answer with names of people, so only the codes of their answers are left.
 */
export const maskedError = (error: string, isEmail: boolean) => {
  const words = error
    .slice(0, 500)
    // Quoted texts are one word, so that none of them is taken for a plain one.
    .match(/"[^"]*"\S*|<[^>]*>\S*|'[^']*'\S*|\([^)]*\)\S*|\S+/g);
  const isKept = (word: string) =>
    errorCode.test(word) ||
    (!isEmail && (plainWord.test(word) || constraintName.test(word) || isVariable(word)));
  return (words ?? [])
    .map((word) => (isKept(word) ? word : hidden))
    .filter((word, place, all) => word !== hidden || all[place - 1] !== hidden)
    .join(" ");
};

const failedJobsIn = async (db: Db, emailQueues: string[]) => {
  const failed = await findFailedJobs(db, emailQueues);
  return failed.map(({ name, attempts, createdAt, failedAt, nextTryAt, error, isEmail }) => ({
    name,
    attempts,
    createdAt,
    failedAt,
    nextTryAt,
    error: maskedError(error, isEmail),
  }));
};

/** Hosts are named by their place, because their names can be private. */
const instancesIn = async (platform: Platform) =>
  (await findInstances(platform))?.map(({ id: _, name: __, ...instance }, place) => ({
    instance: place + 1,
    ...instance,
  })) ?? null;

/** What is known without the database. */
export const diagnoseProcess = (now: Date) => ({
  createdAt: now,
  version,
  node: process.version,
  system: `${process.platform} ${process.arch}`,
});

/** What is stored in the database. */
export const diagnoseDatabase = async (db: Db, emailQueues: string[], now: Date) => ({
  settings: await settingsIn(db),
  database: await findDatabase(db),
  storage: await findStorage(db, now),
  queues: await findQueues(db),
  failedJobs: await failedJobsIn(db, emailQueues),
});

/** The state of the installation, safe to publish. */
export const diagnose = async (platform: Platform, db: Db, now: Date) => ({
  ...diagnoseProcess(now),
  variables: variablesIn(platform.config),
  instances: await instancesIn(platform),
  ...(await diagnoseDatabase(db, platform.queues.patientQueues, now)),
});
