import { t } from "@lingui/core/macro";
import { number } from "#lib/intl.ts";
import { Moment } from "#ui/Moment.tsx";
import { Facts, Section } from "#ui/page/Page.tsx";
import { appStatus } from "#ui/record/appStatus.ts";
import { Reference } from "#ui/record/Reference.tsx";
import { Status } from "#ui/Status.tsx";
import { platformsOf } from "./labels.ts";
import type { App } from "./queries.ts";

/** An app's details in one column, for the side of its page and the list's preview. */
export const Overview = ({ app }: { app: App }) => (
  <>
    <Section title={t`Details`}>
      <Facts
        of={[
          [t`Status`, <Status key="status" status={appStatus(app)} />],
          [t`Code`, <Reference key="code" value={app.code} copyLabel={t`Copy code`} />],
          [
            t`ID`,
            <Reference
              key="id"
              value={app.id}
              shown={`${app.id.slice(0, 13)}…`}
              copyLabel={t`Copy ID`}
            />,
          ],
          [t`Platforms`, platformsOf(app.platforms) || t`None`],
          [
            t`Support email`,
            app.supportEmail ? (
              <a key="mail" className="sentence-link" href={`mailto:${app.supportEmail}`}>
                {app.supportEmail}
              </a>
            ) : (
              t`Not set`
            ),
          ],
          [
            t`Website`,
            app.website ? (
              <a
                key="website"
                className="sentence-link"
                href={app.website}
                target="_blank"
                rel="noopener noreferrer"
              >
                {app.website.replace(/^https:\/\//, "")}
              </a>
            ) : (
              t`Not set`
            ),
          ],
          [t`Active API keys`, number(app.keys)],
          [t`Created`, <Moment key="created" at={app.createdAt} />],
          [t`Updated`, <Moment key="changed" at={app.updatedAt} />],
        ]}
      />
    </Section>
    <Section title={t`Description`}>
      <p className={app.description ? "description" : "softer"}>
        {app.description || t`No description.`}
      </p>
    </Section>
  </>
);
