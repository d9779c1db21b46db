import { randomUUID } from "node:crypto";
import { createApp } from "@purser/contract/apps/endpoints";
import { createFeature } from "@purser/contract/features/endpoints";
import type { Value } from "@purser/contract/fields/values";
import { createPackage, getPackage } from "@purser/contract/packages/endpoints";
import { changeMatrix, getMatrix, type MatrixChange } from "@purser/contract/packages/matrix";
import {
  previewImpact,
  publishPackage,
  type RolloutMode,
} from "@purser/contract/packages/publishing";
import { startDraft } from "@purser/contract/packages/versions";
import { expect } from "vitest";
import type { TestProduct } from "../../../testing.ts";

type Customer = Awaited<ReturnType<TestProduct["signIn"]>>;

export const emptyChange: MatrixChange = {
  addApps: [],
  removeApps: [],
  cells: [],
  perUnit: [],
};

/** Builds a catalog through the API. */
export const catalogIn = ({ call, owner }: TestProduct, admin: Customer) => {
  const unique = () => `c-${randomUUID().slice(0, 8)}`;

  const newApp = async (name = "Harbor") =>
    (await call(admin, createApp, { body: { code: unique(), name } })).body;

  const newLimit = async (appId: string, name = "Seats", more: object = {}) => {
    const unit = { one: "seat", many: "seats" };
    const body = { appId, code: unique(), name, kind: "limit" as const, unit, defaultValue: 1 };
    const made = await call(admin, createFeature, { body: { ...body, ...more } });
    expect(made.status).toBe(201);
    return made.body;
  };

  const newPackage = async (details: object = {}) => {
    const body = { code: unique(), name: "Studio", ...details };
    const made = await call(admin, createPackage, { body });
    expect(made.status).toBe(201);
    return made.body;
  };

  const read = async (id: string) => (await call(admin, getPackage, { params: { id } })).body;

  const edit = async (id: string, change: Partial<MatrixChange>) => {
    const draftId = (await read(id)).draft?.id ?? "";
    const body = { ...emptyChange, ...change, draftId };
    return call(admin, changeMatrix, { params: { id }, body });
  };

  const matrixOf = async (id: string) => (await call(admin, getMatrix, { params: { id } })).body;

  /** Sets a feature's value in the draft, and starts a draft if there is none. */
  const give = async (
    id: string,
    feature: { id: string; app: { id: string } },
    value: Value | null,
  ) => {
    if (!(await read(id)).draft) await call(admin, startDraft, { params: { id }, body: {} });
    const shown = (await matrixOf(id)).apps.flatMap(({ features }) => features);
    const was = shown.find((one) => one.id === feature.id)?.value ?? null;
    const saved = await edit(id, {
      addApps: [feature.app.id],
      cells: [{ featureId: feature.id, value, was }],
    });
    expect(saved.status).toBe(200);
  };

  const impactOf = (id: string, change: Partial<MatrixChange> = {}) =>
    call(admin, previewImpact, { params: { id }, body: { ...emptyChange, ...change } });

  const publish = async (
    id: string,
    {
      rollout = "new buyers",
      by = admin,
      ...more
    }: { rollout?: RolloutMode; by?: Customer; rolloutAt?: string; publishAt?: string } = {},
  ) => {
    const draftId = (await read(id)).draft?.id ?? "";
    const { hash } = (await impactOf(id)).body;
    const body = { draftId, note: "Because it is time.", rollout, impact: hash, ...more };
    return call(by, publishPackage, { params: { id }, body });
  };

  /** New customers with an imported one-year subscription to the current version. */
  const addSubscribers = async (packageId: string, count: number) => {
    const { rows } = await owner.query<{ id: string }>(
      `with customers as (
         insert into users (email, name, status)
         select gen_random_uuid() || '@example.com', 'Subscriber ' || n, 'active' from generate_series(1, $2) n
         returning id
       ), version as (
         select id from package_versions where package_id = $1 and state = 'on sale'
       ), subscribed as (
         insert into subscriptions (user_id, package_id, version_id, price_id, status, period_start, period_end, access_until)
         select p.id, $1, v.id, (select id from version_prices where version_id = v.id order by interval = 'once', id limit 1), 'active',
           now() - interval '1 day', now() + interval '364 days', now() + interval '371 days'
         from customers p, version v returning id, user_id, version_id, period_start, access_until
       )
       insert into grants (user_id, package_id, version_id, subscription_id, source, source_id, starts_at, ends_at, promised_until)
       select user_id, $1, version_id, id, 'import', 'test', period_start, access_until, access_until from subscribed
       returning user_id as id`,
      [packageId, count],
    );
    return rows.map(({ id }) => id);
  };

  /** A package on sale with these feature values. */
  const packageGiving = async (
    name: string,
    values: [feature: Parameters<typeof give>[1], value: Value][],
  ) => {
    const { id } = await newPackage({ name });
    for (const [feature, value] of values) await give(id, feature, value);
    expect((await publish(id)).status).toBe(200);
    return id;
  };

  return {
    newApp,
    newLimit,
    newPackage,
    read,
    edit,
    matrixOf,
    give,
    impactOf,
    publish,
    addSubscribers,
    packageGiving,
  };
};
