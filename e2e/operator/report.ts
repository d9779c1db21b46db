import { openReport } from "../../bench/src/drills/installation.ts";

const rowsIn = (text: string) => /[\d,]+ tables, [\d,]+ rows/.exec(text)?.[0];

/** Reports results, and the seconds of each stage. */
export const openStages = () => {
  const report = openReport("operator");
  const startedAt = performance.now();
  let before = startedAt;
  return {
    ...report,
    took: (stage: string) => {
      const now = performance.now();
      report.say(`${((now - before) / 1000).toFixed(1).padStart(6)} s  ${stage}`);
      before = now;
    },
    /** From what `purser backup` and `purser restore` print. */
    expectRestored: (what: string, written: string, restored: string) => {
      const rows = rowsIn(restored);
      report.expect(`${what} with ${rows}`, rows !== undefined && rows === rowsIn(written));
      report.expect("the audit log is intact", restored.includes("The audit log is intact."));
      report.expect("the ledger is correct", restored.includes("The ledger is correct."));
    },
    end: () => {
      report.say(`${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes`);
      report.end();
    },
  };
};
