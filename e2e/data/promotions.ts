import type { Page } from "@playwright/test";
import type { Product } from "../environment/product.ts";
import { callApi, uniqueCode } from "./api.ts";

export type Promotion = {
  id: string;
  name: string;
  code: string | null;
  codes: number;
  status: string;
  version: number;
};

type Details = { name?: string; code?: string | null; [detail: string]: unknown };

/** A draft that is this test's own: a fifth off, by a code of its own. */
export const makePromotion = (page: Page, details: Details = {}) => {
  const code = uniqueCode("P").toUpperCase().replace("-", "");
  return callApi<Promotion>(page, {
    method: "POST",
    path: "/promotions",
    body: { name: `Offer ${code}`, kind: "percent", basisPoints: 2000, code, ...details },
  });
};

const acted =
  (act: string) =>
  (page: Page, { id, version }: Promotion) =>
    callApi<Promotion>(page, {
      method: "POST",
      path: `/promotions/${id}/${act}`,
      version,
      body: {},
    });

export const publishPromotion = acted("publish");
export const archivePromotion = acted("archive");

export const readPromotion = (page: Page, id: string) =>
  callApi<Promotion & Record<string, unknown>>(page, { path: `/promotions/${id}` });

/** Records redemptions by SQL, which locks the promotion. */
export const usePromotion = async ({ database }: Product, { id }: Promotion, uses = 1) => {
  await database.query("update promotions set uses = $2, first_used_at = now() where id = $1", [
    id,
    uses,
  ]);
};

/** Inserts many drafts by SQL, named `<word> 0001` and so on, newest last. */
export const makeManyPromotions = async ({ database }: Product, word: string, amount: number) => {
  await database.query(
    `insert into promotions (id, name, kind, basis_points, level, duration, audience, stacking, needs_code,
       returns_use, created_at, updated_at)
     select uuid_v7(at), $1 || ' ' || to_char(n, 'FM0000'), 'percent', 1000, 'line', 'once', 'anyone', 'exclusive',
       true, false, at, at
     from (select n, now() - make_interval(secs => $2::int - n) as at from generate_series(1, $2::int) n) rows`,
    [word, amount],
  );
};
