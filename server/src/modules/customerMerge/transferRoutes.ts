import { listGrants, previewTransfer, transferGrants } from "@purser/contract/users/merge";
import type { FastifyInstance } from "fastify";
import { existing, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import {
  findByEmail,
  findRecord,
  lockCustomerFor,
  readRecord,
} from "../entitlements/customerQueries.ts";
import { approveMove } from "../entitlements/grantApproval.ts";
import { refusalOfCustomer } from "../entitlements/rules.ts";
import {
  findHeldGrants,
  type Held,
  lockCustomers,
  lockHeldGrants,
  shownGrant,
  storeTransfer,
} from "./queries.ts";
import { refusalToCombine, refusalToMoveFrom } from "./rules.ts";

type Named = { id: string; name: string; email: string };

const customerOf = ({ id, name, email }: Named) => ({ id, name, email });

const chosenOf = (held: readonly Held[], ids: readonly string[]) =>
  held.filter(({ id }) => ids.includes(id));

/** What remains with the previous customer, because callers may expect otherwise. */
const consequencesOf = ({ name }: { name: string }, chosen: readonly Held[]) => [
  message(
    "transfer_payments",
    "{customer} keeps the payments. If one is refunded, this access can end.",
    { customer: name },
  ),
  ...chosen.flatMap(({ package: pack, renewsAt }) =>
    pack && renewsAt
      ? [
          message(
            "transfer_renewal",
            "{package} renews for {customer}, who gets access again in the next period.",
            { package: pack.name, customer: name },
          ),
        ]
      : [],
  ),
];

type From = Parameters<typeof refusalToMoveFrom>[0];

const refusalOf = (
  from: From,
  to: Parameters<typeof refusalOfCustomer>[0] & { id: string },
  { ids, chosen, theirs }: { ids: readonly string[]; chosen: Held[]; theirs: Held[] },
) =>
  refusalToMoveFrom(from, to, { asked: new Set(ids).size, found: chosen.length }) ??
  refusalOfCustomer(to) ??
  refusalToCombine(to, chosen, theirs);

export const moveRoutes = (app: FastifyInstance) => {
  serve(app, listGrants, async ({ db, params, now, session }) => {
    const { id } = await readRecord(db, params.id, session);
    return { items: (await findHeldGrants(db, id, now)).map(shownGrant) };
  });

  serve(app, previewTransfer, async ({ db, params, body, now, session }) => {
    const from = await readRecord(db, params.id, session);
    const known = await findByEmail(db, body.email, session);
    const to = known ?? { id: "", name: body.email, status: "active" as const };
    const held = await findHeldGrants(db, from.id, now);
    const chosen = chosenOf(held, body.grantIds);
    const theirs = known ? await findHeldGrants(db, known.id, now) : [];
    return {
      to: known ? customerOf(known) : null,
      items: chosen.map(shownGrant),
      consequences: consequencesOf(from, chosen),
      refusal: refusalOf(from, to, { ids: body.grantIds, chosen, theirs })?.detail ?? null,
    };
  });

  serve(app, transferGrants, async ({ db, params, body, now, session, requireApproval }) => {
    const { id } = await readRecord(db, params.id, session);
    const known = await findByEmail(db, body.email, session);
    if (known) await lockCustomers(db, [id, known.id]);
    const to = await lockCustomerFor(db, session, { email: body.email });
    const from = existing(await findRecord(db, id), "customer");
    const chosen = chosenOf(await lockHeldGrants(db, id, now), body.grantIds);
    const theirs = await findHeldGrants(db, to.id, now);
    refuse(refusalOf(from, to, { ids: body.grantIds, chosen, theirs }), [from.name, to.name]);
    const ids = chosen.map((grant) => grant.id);
    await approveMove(to, { what: `Transfer access of ${from.name}`, requireApproval });
    await storeTransfer(db, { ids, to: to.id, now });
    return { to: customerOf(to), items: (await findHeldGrants(db, to.id, now)).map(shownGrant) };
  });
};
