import { t } from "@lingui/core/macro";
import "./release.css";
import { useState } from "react";
import { reloadAndContinue } from "#lib/drafts/drafts.ts";
import { useNewerRelease } from "#lib/page/newRelease.ts";

/** Announces a new release. Users who keep working get it with the next page load. */
export const ReleaseNotice = () => {
  const release = useNewerRelease();
  const [isPutOff, setPutOff] = useState(false);
  return (
    <div role="status" className="release-place">
      {release !== null && !isPutOff && (
        <div className="release">
          <span>{t`A new version is available`}</span>
          <button type="button" onClick={reloadAndContinue}>
            {t`Reload now`}
          </button>
          <button type="button" onClick={() => setPutOff(true)}>
            {t`Later`}
          </button>
        </div>
      )}
    </div>
  );
};
