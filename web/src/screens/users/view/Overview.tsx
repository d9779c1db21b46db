import { t } from "@lingui/core/macro";
import "../users.css";
import { series } from "#lib/intl.ts";
import { Moment } from "#ui/Moment.tsx";
import { Facts, Section } from "#ui/page/Page.tsx";
import { Reference } from "#ui/record/Reference.tsx";
import { Status } from "#ui/Status.tsx";
import { statusLabels } from "../labels.ts";
import type { User } from "../queries.ts";
import { Account, CurrentPackages } from "./Rail.tsx";

/** A user's details in one column, for the list's preview. */
export const Overview = ({ user }: { user: User }) => (
  <>
    <Section title={t`Details`}>
      <Facts
        of={[
          [t`Status`, <Status key="status" status={statusLabels[user.status]} />],
          [
            t`Email`,
            <a key="mail" className="sentence-link" href={`mailto:${user.email}`}>
              {user.email}
            </a>,
          ],
          [t`Number`, <Reference key="number" value={user.number} copyLabel={t`Copy number`} />],
          [t`Packages`, series(user.packages.map(({ name }) => name)) || t`None`],
          [t`Created`, <Moment key="created" at={user.createdAt} />],
        ]}
      />
    </Section>
    <CurrentPackages user={user} />
    <Account user={user} />
  </>
);
