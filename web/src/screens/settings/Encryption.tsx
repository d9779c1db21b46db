import { plural, t } from "@lingui/core/macro";
import { getEncryption, rotateCommand } from "@purser/contract/workspace/settings";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { number } from "#lib/intl.ts";
import { Callout } from "#ui/page/Callout.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Facts, Section } from "#ui/page/Page.tsx";
import { Reference } from "#ui/record/Reference.tsx";

const encryptionQuery = queryOptions({
  queryKey: ["settings", "encryption"],
  queryFn: () => call(getEncryption),
});

/** Whether the keys that encrypt stored secrets were rotated completely. The operator rotates them on the server. */
export const Encryption = () => {
  const { data, error, refetch } = useQuery(encryptionQuery);
  if (error && !data)
    return (
      <Failed
        title={t`Couldn't load the encryption keys`}
        error={error}
        onRetry={() => refetch()}
      />
    );
  if (!data) return null;
  const { keys, older, unreadable } = data;
  return (
    <Section id="encryption-keys" title={t`Encryption keys`}>
      <p className="soft">{t`They encrypt authenticator apps, webhook secrets and single sign-on.`}</p>
      <Facts
        of={[
          [t`Configured keys`, number(keys)],
          [t`Secrets with an older key`, number(older)],
        ]}
      />
      {unreadable > 0 && (
        <Callout tone="bad" icon="alert-circle">
          {plural(unreadable, {
            one: "# stored secret can't be read with any key. Add the missing key to SECRET_KEYS.",
            other:
              "# stored secrets can't be read with any key. Add the missing key to SECRET_KEYS.",
          })}
        </Callout>
      )}
      {older > 0 ? (
        <p>
          {t`Encrypt them with the newest key on the server:`}{" "}
          <Reference value={rotateCommand} copyLabel={t`Copy command`} />
        </p>
      ) : (
        keys > 1 && (
          <p className="soft">
            {t`No secret needs an older key. Remove older keys two days after you added the newest.`}
          </p>
        )
      )}
    </Section>
  );
};
