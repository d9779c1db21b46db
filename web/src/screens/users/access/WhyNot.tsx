import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { money } from "#lib/intl.ts";
import { frequencyLabel } from "#lib/money/prices.ts";
import { useMay } from "#lib/session/session.ts";
import { part } from "#ui/page/lazyPart.tsx";
import type { User } from "../queries.ts";
import { type Explained, offerQuery } from "./queries.ts";

const GrantDialog = part(async () => (await import("./GrantDialog.tsx")).GrantDialog);

const Offer = ({ feature, user }: { feature: string; user: User }) => {
  const { data: offer } = useQuery(offerQuery(user.id, feature));
  if (offer === undefined) return null;
  if (offer === null)
    return <span className="soft">{t`No other package on sale includes it.`}</span>;
  const { name, id } = offer.package;
  const price = `${money(offer.amount, offer.currency)}, ${frequencyLabel(offer)}`;
  return (
    <>
      <Button
        component={Link}
        {...({ to: "/transaction/create", search: { email: user.email, package: id } } as object)}
        variant="default"
        size="xs"
      >
        {t`Offer ${name}`}
      </Button>
      <span className="soft">{price}</span>
    </>
  );
};

/** What helps a customer who doesn't have a feature: grant it, or sell a package that has it. */
export const WhyNot = ({ item: { feature }, user }: { item: Explained; user: User }) => {
  const mayGrant = useMay("users:write") && user.status === "active";
  const maySell = useMay("transactions:write");
  const [isGranting, setGranting] = useState(false);
  if (!(mayGrant || maySell)) return null;
  return (
    <div className="why-not">
      {mayGrant && (
        <Button variant="default" size="xs" onClick={() => setGranting(true)}>
          {t`Grant access`}
        </Button>
      )}
      {maySell && <Offer feature={feature.id} user={user} />}
      <Suspense>
        {isGranting && (
          <GrantDialog user={user} feature={feature.id} onClose={() => setGranting(false)} />
        )}
      </Suspense>
    </div>
  );
};
