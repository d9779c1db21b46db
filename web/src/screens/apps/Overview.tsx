import { Moment } from "#ui/Moment.tsx";
import { Facts, Section } from "#ui/page/Page.tsx";
import { lifeLabels } from "#ui/record/lifecycle.tsx";
import { Reference } from "#ui/record/Reference.tsx";
import { Status } from "#ui/Status.tsx";
import { platformsOf } from "./labels.ts";
import type { App } from "./queries.ts";

/** An app's details in one column, for the side of its page and the list's preview. */
export const Overview = ({ app }: { app: App }) => (
  <>
    <Section title="Facts">
      <Facts
        of={[
          ["Status", <Status key="status" status={lifeLabels[app.status]} />],
          ["Code", <Reference key="code" value={app.code} what="the code" />],
          [
            "Id",
            <Reference key="id" value={app.id} shown={`${app.id.slice(0, 13)}…`} what="the id" />,
          ],
          ["Platforms", platformsOf(app.platforms) || "none named"],
          [
            "Support",
            app.supportEmail ? (
              <a key="mail" className="sentence-link" href={`mailto:${app.supportEmail}`}>
                {app.supportEmail}
              </a>
            ) : (
              "no address"
            ),
          ],
          [
            "Website",
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
              "not set"
            ),
          ],
          ["Valid keys", String(app.keys)],
          ["Created", <Moment key="created" at={app.createdAt} />],
          ["Changed", <Moment key="changed" at={app.updatedAt} />],
        ]}
      />
    </Section>
    <Section title="Description">
      <p className={app.description ? "description" : "softer"}>
        {app.description || "Nothing is written yet."}
      </p>
    </Section>
  </>
);
