import "./publishing/publish.css";
import "./packages.css";
import "#ui/form/form.css";
import "#ui/styles/radioSheets.ts";
import { t } from "@lingui/core/macro";
import { Button, Radio, Stack, Textarea } from "@mantine/core";
import { changePackage } from "@purser/contract/packages/endpoints";
import { missingPrices, unusualPrices } from "@purser/contract/packages/priceReview";
import { offerOf, type Price } from "@purser/contract/packages/prices";
import { previewImpact } from "@purser/contract/packages/publishing";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { runtime } from "#lib/page/runtime.ts";
import { messageText } from "#lib/serverMessages.ts";
import { useMay } from "#lib/session/session.ts";
import { currentTime } from "#lib/time/currentTime.ts";
import { localDateTime, utcOffset } from "#lib/time/localTime.ts";
import { Missing } from "#shell/errors/Missing.tsx";
import { DateTimeField } from "#ui/dates/DateInput.tsx";
import { needsApproval } from "#ui/dialogs/approval.ts";
import { RefusedAction } from "#ui/dialogs/RefusedAction.tsx";
import { useOnce } from "#ui/form/useRecordForm.ts";
import { Icon } from "#ui/Icon.tsx";
import { Callout } from "#ui/page/Callout.tsx";
import { Empty, Failed } from "#ui/page/Empty.tsx";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { PageHead, RecordSkeleton, Section } from "#ui/page/Page.tsx";
import { attempt } from "#ui/popups/toast.ts";
import { Status } from "#ui/Status.tsx";
import { bodyOf, valuesOf } from "./form/values.ts";
import { stateLabels } from "./labels.ts";
import { type Impact, impactQuery, noChange } from "./matrix/queries.ts";
import { BuyersView } from "./publishing/BuyersView.tsx";
import { Checks } from "./publishing/Checks.tsx";
import { acceptedOf, PriceChanges, PriceIssues } from "./publishing/PriceReview.tsx";
import { RolloutOptions } from "./publishing/RolloutOptions.tsx";
import type { Rollout } from "./publishing/rollout.ts";
import { Summary } from "./publishing/Summary.tsx";
import { type Draft, usePublish, type When } from "./publishing/usePublish.ts";
import { ValueChanges } from "./publishing/ValueChanges.tsx";
import { matrixOf, type Package, packageQuery, packageSaved, versionsQuery } from "./queries.ts";

const zone = runtime.companyTimeZone;

const parentsOf = ({ id, name }: Package) => [
  { label: t`Packages`, to: "/package" as const },
  { label: name, to: "/package/view/$id" as const, params: { id } },
];

type WhenProps = { value: When; error: string | null; onChange: (when: When) => void };

const WhenField = ({ value, error, onChange }: WhenProps) => {
  const offset = utcOffset(zone, currentTime());
  return (
    <Radio.Group
      label={t`On sale`}
      value={value.later ? "later" : "now"}
      onChange={(chosen) => onChange({ ...value, later: chosen === "later" })}
    >
      <Stack gap={8} mt={6}>
        <Radio value="now" label={t`Now`} />
        <Radio
          value="later"
          label={t`At a set time`}
          description={t`Time zone ${zone} (${offset})`}
        />
      </Stack>
      {value.later && (
        <DateTimeField
          zone={zone}
          label={t`On sale from`}
          min={localDateTime(zone, currentTime())}
          value={value.at}
          error={error}
          onChange={(at) => onChange({ ...value, at })}
        />
      )}
    </Radio.Group>
  );
};

type PublicationProps = {
  note: string;
  onNote: (note: string) => void;
  when: When;
  onWhen: (when: When) => void;
  errors: Record<string, string>;
};

const Publication = ({ note, onNote, when, onWhen, errors }: PublicationProps) => (
  <Section title={t`Publication`}>
    <Textarea
      label={t`Note`}
      description={t`The reason for this version. Shown in the version list.`}
      maxLength={500}
      value={note}
      error={errors["note"] ?? null}
      onChange={({ currentTarget }) => onNote(currentTarget.value)}
    />
    <WhenField value={when} error={errors["publishAt"] ?? null} onChange={onWhen} />
  </Section>
);

/** Saves prices into the draft from the review, and counts the impact again. */
const useSetPrice = (pack: Package, show: (impact: Impact) => void) => {
  const { busy, once } = useOnce();
  const set = (price: Price) =>
    once(async () => {
      await attempt(async () => {
        const same = pack.prices.find((one) => offerOf(one) === offerOf(price));
        const perUnit = pack.prices.some((one) => one.currency === price.currency && one.perUnit);
        const prices = same
          ? pack.prices.map((one) => (one === same ? { ...one, amount: price.amount } : one))
          : [...pack.prices, { ...price, perUnit }];
        const { values, version } = valuesOf({ ...pack, prices });
        const params = { id: pack.id };
        const saved = await call(changePackage, { params, body: bodyOf(values), version });
        try {
          show(await call(previewImpact, { params, body: noChange }));
        } finally {
          packageSaved(saved);
        }
      });
      return false;
    });
  return { busy, set };
};

const buttonLabel = (version: number, isLater: boolean, requiresApproval: boolean) => {
  if (requiresApproval) return t`Request approval`;
  return isLater ? t`Schedule version ${version}` : t`Publish version ${version}`;
};

type BlockingProps = { pack: Package; issues: Impact["blockingIssues"] };

const BlockingIssues = ({ pack, issues }: BlockingProps) =>
  issues.map((issue) => (
    <div key={issue.text} className="review-issue" data-tone="bad">
      <Icon name="circle-x" />
      <div>
        <b>{messageText(issue)}</b>
      </div>
      <Button size="xs" variant="default" component={Link} to={matrixOf(pack)}>
        {t`Apps and features`}
      </Button>
    </div>
  ));

/** Prices that are missing or unusual, except those that were confirmed. */
const usePriceIssues = (prices: Package["prices"]) => {
  const [accepted, setAccepted] = useState<readonly string[]>([]);
  const isOpen = (one: Parameters<typeof acceptedOf>[0]) => !accepted.includes(acceptedOf(one));
  return {
    missing: missingPrices(prices).filter(isOpen),
    unusual: unusualPrices(prices).filter(isOpen),
    accept: (one: string) => setAccepted([...accepted, one]),
  };
};

const Changed = () => (
  <Callout tone="warn" icon="alert-triangle" role="alert">
    {t`The consequences have changed. Review them, then publish.`}
  </Callout>
);

type ReviewProps = {
  pack: Package;
  draft: Draft;
  sold: Pick<Package, "prices" | "trialDays"> | null;
  read: Impact;
};

const Review = ({ pack, draft, sold, read }: ReviewProps) => {
  // The impact doesn't refresh while it is being read; the server refuses if it changed.
  const [impact, setImpact] = useState(read);
  const suggested = useLocation({ select: ({ state }) => state.note });
  const [note, setNote] = useState(suggested ?? "");
  const [rollout, setRollout] = useState<Rollout>({ mode: "new buyers", at: "" });
  const [when, setWhen] = useState<When>({ later: false, at: "" });
  const { publish, busy, refusal, errors, isChanged, wanted } = usePublish(
    { pack, draft },
    setImpact,
  );
  const { id, name, prices, onSale } = pack;
  const setPrice = useSetPrice(pack, setImpact);
  const navigate = useNavigate();
  const leave = () => void navigate({ to: "/package/view/$id", params: { id } });
  const { number: version } = draft;
  const { missing, unusual, accept } = usePriceIssues(prices);
  const isBlocked = impact.blockingIssues.length > 0 || missing.length > 0;
  const replaced = onSale?.number ?? null;
  return (
    <div className="record">
      <PageHead
        title={t`Review and publish ${name} version ${version}`}
        parent={parentsOf(pack)}
        meta={<Status status={stateLabels.draft} loud />}
        facts={<Summary pack={pack} draftId={draft.id} sold={sold} impact={impact} />}
        actions={
          <>
            <Button variant="default" component={Link} to={matrixOf(pack)}>
              {t`Back to draft`}
            </Button>
            <Button
              type="submit"
              form="publish"
              aria-busy={busy}
              disabled={isBlocked || setPrice.busy || needsApproval(refusal)}
            >
              {buttonLabel(version, when.later, impact.requiresApproval)}
            </Button>
          </>
        }
      />
      <BlockingIssues pack={pack} issues={impact.blockingIssues} />
      <PriceIssues
        id={id}
        busy={setPrice.busy}
        missing={missing}
        unusual={unusual}
        prices={prices}
        onSet={(price) => void setPrice.set(price)}
        onAccept={accept}
      />
      <form
        id="publish"
        className="record-columns publish"
        data-form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const none: Rollout = { mode: "new buyers", at: "" };
          void publish({ note, rollout: impact.subscribers > 0 ? rollout : none, when }, impact);
        }}
      >
        <div className="record-main">
          {(refusal || isChanged) && (
            <div>
              <RefusedAction refusal={refusal} wanted={wanted} onRequested={leave} />
              {isChanged && <Changed />}
            </div>
          )}
          <PriceChanges
            sold={sold}
            prices={prices}
            trialDays={pack.trialDays}
            missing={missing}
            unusual={unusual}
          />
          <ValueChanges impact={impact} replaced={replaced} version={version} />
          {impact.subscribers > 0 && (
            <RolloutOptions
              impact={impact}
              value={rollout}
              onChange={setRollout}
              error={errors["rolloutAt"] ?? null}
            />
          )}
          <Publication note={note} onNote={setNote} when={when} onWhen={setWhen} errors={errors} />
        </div>
        <aside className="record-rail">
          <BuyersView pack={pack} version={version} unusual={unusual.map(offerOf)} />
          <Checks
            impact={impact}
            missing={missing.length}
            unusual={unusual.length}
            replaced={replaced}
          />
        </aside>
      </form>
    </div>
  );
};

/** The draft's impact and the prices on sale, then the review. */
const Loaded = ({ pack, draft }: { pack: Package; draft: Draft }) => {
  const { id, onSale } = pack;
  const impact = useQuery({
    ...impactQuery(id, draft.id, noChange),
    queryKey: ["packages", "publishing", id, draft.id],
  });
  const versions = useQuery(versionsQuery(id));
  const error = impact.error ?? versions.error;
  if (impact.data && versions.data) {
    const sold = versions.data.find(({ number }) => number === onSale?.number);
    return <Review pack={pack} draft={draft} sold={sold ?? null} read={impact.data} />;
  }
  if (!error) return <RecordSkeleton />;
  const { name } = pack;
  return (
    <div className="record">
      <PageHead title={t`Publish ${name}`} parent={parentsOf(pack)} />
      <Failed
        title={t`Couldn't load the review`}
        error={error}
        onRetry={() => void Promise.all([impact.refetch(), versions.refetch()])}
      />
    </div>
  );
};

/** A last look at a draft before it goes on sale: prices, values, and who gains and loses. */
export const PublishPackage = () => {
  const { id } = useParams({ from: "/package/publish/$id" });
  const mayWrite = useMay("packages:write");
  const { data: pack, error, refetch } = useQuery({ ...packageQuery(id), enabled: mayWrite });
  if (!mayWrite) return <Forbidden permission="packages:write" />;
  if (error && !pack) return <Missing id={id} error={error} onRetry={() => refetch()} />;
  if (!pack) return <RecordSkeleton />;
  if (pack.draft) return <Loaded key={pack.draft.id} pack={pack} draft={pack.draft} />;
  const { name } = pack;
  return (
    <div className="record">
      <PageHead title={t`Publish ${name}`} parent={parentsOf(pack)} />
      <Empty
        title={t`This package has no draft`}
        actions={
          <Button variant="default" component={Link} to={matrixOf(pack)}>
            {t`Apps and features`}
          </Button>
        }
      >
        <p>{t`Create a draft to change it and publish it as the next version.`}</p>
      </Empty>
    </div>
  );
};
