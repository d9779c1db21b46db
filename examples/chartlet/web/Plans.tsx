import { useCallback, useEffect, useState } from "react";
import {
  call,
  day,
  type Me,
  money,
  type Order,
  type Package,
  purser,
  type Subscription,
} from "./api.ts";
import type { Go } from "./place.ts";

const nameOf = ({ name }: { name: string }) => name.replace("Chartlet ", "");

type PlanProps = {
  plan: Package;
  isCurrent: boolean;
  action: string;
  onChoose: () => Promise<void>;
};

const Plan = ({ plan, isCurrent, action, onChoose }: PlanProps) => {
  const [price] = plan.prices;
  return (
    <li className="card">
      <h2>{nameOf(plan)}</h2>
      {price && (
        <p className="price">
          <b>{money(price.amount, price.currency)}</b> a {price.interval}
        </p>
      )}
      <p>{plan.description.split("\n")[0]}</p>
      {isCurrent ? (
        <p className="current">Your plan</p>
      ) : (
        <button type="button" onClick={onChoose}>
          {action} {nameOf(plan)}
        </button>
      )}
    </li>
  );
};

type Chosen = { plan: Package; order: Order };

const Checkout = ({ plan, order, onPay }: Chosen & { onPay: () => Promise<void> }) => {
  const [isBusy, setIsBusy] = useState(false);
  const credit = order.total - order.due;
  const pay = async () => {
    setIsBusy(true);
    await onPay();
    setIsBusy(false);
  };
  return (
    <section className="card" aria-label="Checkout">
      <h2>{nameOf(plan)}</h2>
      <p>
        {money(order.total, order.currency)} for the first month
        {credit > 0 && `, minus ${money(credit, order.currency)} for the rest of your plan`}.
      </p>
      <button type="button" onClick={pay} disabled={isBusy}>
        Pay {money(order.due, order.currency)}
      </button>
      <p className="note">This is an example. It takes no money.</p>
    </section>
  );
};

/** Packages and prices are those of Purser. */
export const Plans = ({ me, go }: { me: Me | null; go: Go }) => {
  const [plans, setPlans] = useState<Package[]>([]);
  const [own, setOwn] = useState<Subscription | null>(null);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [status, setStatus] = useState("");

  const load = useCallback(async () => {
    setPlans(await call<Package[]>("GET", "/packages"));
    if (me) setOwn(await call<Subscription | null>("GET", "/subscription"));
  }, [me]);
  const attempt = useCallback(async (work: () => Promise<void>) => {
    setStatus("");
    await work().catch((refused: Error) => setStatus(refused.message));
  }, []);
  useEffect(() => void attempt(load), [attempt, load]);

  const change = (path: string, body: object, done: string) =>
    attempt(async () => {
      await call("POST", path, body);
      if (me) purser.invalidate([me.id]);
      setChosen(null);
      await load();
      setStatus(done);
    });
  const choose = (plan: Package) =>
    attempt(async () => {
      if (!me) return go("/sign-in");
      const order = await call<Order>("POST", "/orders", { packageId: plan.id });
      setChosen({ plan, order });
    });

  return (
    <>
      <h1>Plans</h1>
      <p>Every account has 1 export a month for free.</p>
      <ul className="columns plans">
        {plans.map((plan) => (
          <Plan
            key={plan.id}
            plan={plan}
            isCurrent={own?.package.id === plan.id}
            action={own ? "Switch to" : "Buy"}
            onChoose={() => choose(plan)}
          />
        ))}
      </ul>
      {chosen && (
        <Checkout
          {...chosen}
          onPay={() => change("/payments", { order: chosen.order.order }, "Payment received")}
        />
      )}
      {own && (
        <section className="own" aria-label="Your plan">
          {own.status === "ending" ? (
            <p>Your plan ends on {day(own.periodEnd)}.</p>
          ) : (
            <p>
              Your plan renews on {day(own.periodEnd)}.{" "}
              <button
                type="button"
                className="plain"
                onClick={() => change("/cancellations", {}, "Plan canceled")}
              >
                Cancel plan
              </button>
            </p>
          )}
        </section>
      )}
      <p role="status">{status}</p>
    </>
  );
};
