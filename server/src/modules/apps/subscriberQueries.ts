/** The number of customers with access to a package, or to one of its versions, at a moment. */
export const subscribersAt = (packageId: string, versionId: string | null, at: string) => `(
  select coalesce(sum(c.change), 0)::int from subscriber_changes c
  where c.package_id = ${packageId} and c.at <= ${at}
    and c.version_id ${versionId === null ? "is null" : `= ${versionId}`}
)`;
