/** What is missing in the changelog before a version can be released. */
export const changelogFaults = (changelog: string, version: string) => {
  const [, unreleased = ""] = /^## Unreleased\n([\s\S]*?)(?=^## )/m.exec(changelog) ?? [];
  const faults: string[] = [];
  if (unreleased.trim() !== "")
    faults.push(`CHANGELOG.md has unreleased changes. Move them to "## ${version} (<date>)".`);
  if (
    !new RegExp(`^## ${version.replaceAll(".", "\\.")} \\(\\d{4}-\\d{2}-\\d{2}\\)$`, "m").test(
      changelog,
    )
  )
    faults.push(`CHANGELOG.md has no section "## ${version} (<date>)".`);
  return faults;
};
