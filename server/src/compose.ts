import { endpoints } from "@purser/contract/endpoints";
import type { FastifyInstance } from "fastify";
import type { Config } from "./config.ts";
import { historySources } from "./historySources.ts";
import { appCustomerRoutes } from "./modules/appCustomers/routes.ts";
import { openApprovalGate } from "./modules/approvals/gate.ts";
import { expireApprovals, tellRequesterJob } from "./modules/approvals/jobs.ts";
import { approvalRoutes } from "./modules/approvals/routes.ts";
import { applyWaitingChanges, tellOwnersJob } from "./modules/approvals/waitingJobs.ts";
import { appKeyRoutes, appListRoutes, appRoutes } from "./modules/apps/routes.ts";
import { suspensionRoutes } from "./modules/apps/suspensionRoutes.ts";
import { catalogRoutes } from "./modules/catalog/routes.ts";
import { commentRoutes } from "./modules/comments/routes.ts";
import { mergeRoutes } from "./modules/customerMerge/mergeRoutes.ts";
import { moveRoutes } from "./modules/customerMerge/transferRoutes.ts";
import { customerSummaryRoutes } from "./modules/customerSummary/routes.ts";
import {
  issueWaitingDocuments,
  removeOldBuyers,
  sendDocumentJob,
} from "./modules/documents/jobs.ts";
import { documentRoutes } from "./modules/documents/routes.ts";
import { entitlementChangeRoutes } from "./modules/entitlements/changes/routes.ts";
import { openCachedChecks } from "./modules/entitlements/explanation/cachedChecks.ts";
import { checkRoutes, entitlementRoutes } from "./modules/entitlements/explanation/checkRoutes.ts";
import { ofrepRoutes } from "./modules/entitlements/ofrep/routes.ts";
import { grantRoutes } from "./modules/entitlements/routes.ts";
import { featureListRoutes, featureRoutes } from "./modules/features/routes.ts";
import { checkImport, forgetImports, runImport, undoImportJob } from "./modules/imports/jobs.ts";
import { importMappingRoutes } from "./modules/imports/mappingRoutes.ts";
import { importRoutes } from "./modules/imports/routes.ts";
import { forgetChecks, watchDenials } from "./modules/integration/jobs.ts";
import { addCheckRecorder } from "./modules/integration/recorder.ts";
import { integrationRoutes } from "./modules/integration/routes.ts";
import { balanceRoutes } from "./modules/ledger/routes.ts";
import { impactRoutes } from "./modules/packages/impact/impactRoutes.ts";
import { matrixRoutes } from "./modules/packages/matrix/matrixRoutes.ts";
import { catchUp, publishScheduled } from "./modules/packages/publishing/jobs.ts";
import { publishRoutes } from "./modules/packages/publishing/publishRoutes.ts";
import { rollOut } from "./modules/packages/rollouts/rolloutJob.ts";
import { rolloutRoutes } from "./modules/packages/rollouts/rolloutRoutes.ts";
import { packageRoutes } from "./modules/packages/routes.ts";
import {
  countSubscribers,
  recountAllSubscribers,
  settleSubscriberChanges,
} from "./modules/packages/subscribers/jobs.ts";
import { versionRoutes } from "./modules/packages/versions/versionRoutes.ts";
import { forgetPersonalExports, writePersonalExport } from "./modules/privacy/jobs.ts";
import { privacyRoutes } from "./modules/privacy/routes.ts";
import { codeRoutes, promotionRoutes } from "./modules/promotions/routes.ts";
import { configuredProviders } from "./modules/providers/configuredProviders.ts";
import {
  forgetProviderEvents,
  reconcilePayments,
  settleProviderEvent,
} from "./modules/providers/jobs.ts";
import { providerReadings } from "./modules/providers/metrics.ts";
import { providerRoutes } from "./modules/providers/routes.ts";
import { attentionRoutes } from "./modules/reports/attention/routes.ts";
import { sendReportsJob } from "./modules/reports/emails.ts";
import { homeRoutes } from "./modules/reports/homeRoutes.ts";
import { forgetAttention, updateReports } from "./modules/reports/jobs.ts";
import { reportRoutes } from "./modules/reports/routes.ts";
import { reportRowRoutes } from "./modules/reports/rows/routes.ts";
import { savedReportRoutes } from "./modules/reports/savedRoutes.ts";
import { settingsRoutes } from "./modules/settings/routes.ts";
import { snapshotRoutes } from "./modules/snapshots/routes.ts";
import { changeRoutes, withdrawRoutes } from "./modules/subscriptions/changeRoutes.ts";
import { discountRoutes } from "./modules/subscriptions/discountRoutes.ts";
import { renewSubscriptions } from "./modules/subscriptions/renewals.ts";
import { pauseRoutes, subscriptionRoutes } from "./modules/subscriptions/routes.ts";
import { trialRoutes } from "./modules/subscriptions/trialRoutes.ts";
import { taxRateRoutes } from "./modules/taxes/routes.ts";
import { actionRoutes } from "./modules/transactions/events/actionRoutes.ts";
import { disputeRoutes, refundRoutes } from "./modules/transactions/refunds/refundRoutes.ts";
import { transactionRoutes } from "./modules/transactions/routes.ts";
import { promotionPreviewRoutes, saleRoutes } from "./modules/transactions/sales/saleRoutes.ts";
import { simulatePromotion } from "./modules/transactions/simulation/jobs.ts";
import { simulationRoutes } from "./modules/transactions/simulation/routes.ts";
import {
  splitLateTransactions,
  splitTransactions,
} from "./modules/transactions/split/splitTransactions.ts";
import { customerUsageRoutes } from "./modules/usage/customerRoutes.ts";
import {
  expireUsageReservations,
  forgetUsageEvents,
  forgetUsageIds,
} from "./modules/usage/jobs.ts";
import { usageRoutes } from "./modules/usage/routes.ts";
import { settleRoutes } from "./modules/usage/settleRoutes.ts";
import { customerRoutes } from "./modules/users/customers/routes.ts";
import { serviceAccountRoutes } from "./modules/users/serviceAccounts/routes.ts";
import { tellTwoFactorResetJob } from "./modules/users/team/jobs.ts";
import { teamRoutes, twoFactorResetRoutes } from "./modules/users/team/routes.ts";
import { viewRoutes } from "./modules/views/routes.ts";
import { deliverWebhooks } from "./modules/webhooks/deliver.ts";
import { forgetWebhooks } from "./modules/webhooks/jobs.ts";
import { webhookReadings } from "./modules/webhooks/metrics.ts";
import { webhookLogRoutes, webhookRoutes } from "./modules/webhooks/routes.ts";
import { tellSuspension } from "./modules/webhooks/suspensionJob.ts";
import { auditRoutes } from "./platform/audit/routes.ts";
import { sendLinkJob } from "./platform/auth/passwords/passwordLinks.ts";
import { authRoutes } from "./platform/auth/routes.ts";
import type { Backfill } from "./platform/backfills/backfill.ts";
import { runBackfills } from "./platform/backfills/job.ts";
import { draftRoutes } from "./platform/drafts/routes.ts";
import { eventRoutes } from "./platform/events/stream.ts";
import { answerUnknown } from "./platform/http/errors.ts";
import { helpRoutes } from "./platform/http/help/helpRoutes.ts";
import { incidentRoutes } from "./platform/http/incidents.ts";
import { refuseOtherMethods } from "./platform/http/methods.ts";
import { pageRoutes } from "./platform/http/pages/pages.ts";
import { placesOf, workspaceUrl } from "./platform/http/publicUrls.ts";
import { describeAppApi } from "./platform/http/reference/appDocument.ts";
import { describeApi } from "./platform/http/reference/openapi.ts";
import { referenceRoutes } from "./platform/http/reference/referenceRoutes.ts";
import { createServer } from "./platform/http/server.ts";
import { iconRoutes } from "./platform/icons/routes.ts";
import { housekeeping } from "./platform/jobs/housekeeping.ts";
import { startPollers } from "./platform/jobs/pollers.ts";
import type { Job } from "./platform/jobs/queues.ts";
import { jobRoutes } from "./platform/jobs/routes.ts";
import { stepsOf, work } from "./platform/jobs/work.ts";
import { exportNoticeJob } from "./platform/lists/exportNotice.ts";
import { forgetListJobs, runListJobs } from "./platform/lists/jobs/job.ts";
import { listJobRoutes } from "./platform/lists/jobs/routes.ts";
import type { Logger } from "./platform/log.ts";
import type { Mailer } from "./platform/mail/mail.ts";
import { sendDigestsJob } from "./platform/notifications/digest.ts";
import { notificationRoutes } from "./platform/notifications/routes.ts";
import { type Reach, reachOf } from "./platform/outbound/targets.ts";
import { type Clock, openPlatform, type Platform } from "./platform/platform.ts";
import { zoneOf } from "./platform/settings.ts";
import { openCounts } from "./platform/system/counts.ts";
import type { Reading } from "./platform/system/metrics.ts";
import { systemRoutes } from "./platform/system/routes.ts";
import type { ModeRouter } from "./platform/testMode/modeRouter.ts";
import { testClockRoutes } from "./platform/testMode/routes.ts";
import { revertAdvice, revertingIn } from "./reverting.ts";
import { openMailOf, refuseChangesOfShared, silentMail, testModePollers } from "./testMode/jobs.ts";

type Options = {
  name: string;
  works: boolean;
  serves?: boolean;
  clock?: Clock;
  log?: Logger;
  /** The live product beside which this one is test mode. */
  live?: Platform;
};

/** What metrics read from the tables of modules. */
export const readings: readonly Reading[] = [...webhookReadings, ...providerReadings];

/** Conversions of existing rows, which migrations start with `-- backfill: <name>`. */
export const backfills: readonly Backfill[] = [splitTransactions, countSubscribers];

export const jobsOf = (config: Config, mail: Mailer, mailToCustomers = mail) => {
  const writes: FastifyInstance["writes"] = new Map();
  const listSources: FastifyInstance["listSources"] = new Map();
  const findZone = zoneOf(config);
  const providers = configuredProviders(config);
  const sendLink = sendLinkJob(mail, workspaceUrl(config), config);
  const tellTwoFactorReset = tellTwoFactorResetJob(mail, workspaceUrl(config));
  const tellRequester = tellRequesterJob(mail, workspaceUrl(config));
  const tellOwners = tellOwnersJob(mail, workspaceUrl(config));
  const settle = settleProviderEvent(providers, findZone);
  const writeExport = writePersonalExport(findZone);
  const sendDocument = sendDocumentJob(mailToCustomers);
  const jobs: Job[] = [
    ...housekeeping,
    runBackfills(backfills),
    splitLateTransactions,
    sendLink,
    tellTwoFactorReset,
    publishScheduled,
    rollOut,
    catchUp,
    settleSubscriberChanges,
    recountAllSubscribers,
    updateReports(findZone),
    forgetAttention,
    renewSubscriptions(findZone),
    simulatePromotion,
    expireUsageReservations,
    forgetUsageIds,
    forgetUsageEvents,
    forgetChecks,
    watchDenials,
    checkImport,
    runImport,
    undoImportJob,
    forgetImports,
    settle,
    reconcilePayments(providers, settle, findZone),
    forgetProviderEvents,
    forgetWebhooks(config),
    tellSuspension,
    writeExport,
    forgetPersonalExports,
    runListJobs({ writes, listSources, openApprovalGate, findZone }),
    forgetListJobs,
    exportNoticeJob(mail, workspaceUrl(config)),
    sendDigestsJob(mail, workspaceUrl(config), findZone),
    sendReportsJob(mail, workspaceUrl(config), findZone),
    tellRequester,
    expireApprovals(tellRequester),
    tellOwners,
    applyWaitingChanges(writes, tellRequester),
    sendDocument,
    issueWaitingDocuments(sendDocument, findZone),
    removeOldBuyers(findZone),
  ];
  const tell = {
    requester: tellRequester,
    owners: tellOwners,
    twoFactorReset: tellTwoFactorReset,
  };
  return {
    jobs,
    writes,
    listSources,
    tell,
    sendLink,
    sendDocument,
    providers,
    settle,
    writeExport,
  };
};

type Tools = ReturnType<typeof jobsOf> & {
  reach: Reach;
  reverting: ReturnType<typeof revertingIn>;
};

const platformRoutes = (app: FastifyInstance, { sendLink, reverting }: Tools) => {
  authRoutes(app, sendLink);
  draftRoutes(app);
  jobRoutes(app);
  systemRoutes(app);
  auditRoutes(app, {
    modules: reverting,
    advice: revertAdvice,
    confidential: ["approvals"],
    sources: historySources,
  });
  eventRoutes(app);
  notificationRoutes(app);
  listJobRoutes(app);
  iconRoutes(app);
  incidentRoutes(app);
  testClockRoutes(app);
};

/** One line per module and what it serves. */
const moduleRoutes = (app: FastifyInstance, tools: Tools) => {
  const { sendLink, providers, settle, writeExport, tell, reach, sendDocument } = tools;
  appListRoutes(app);
  appRoutes(app);
  appKeyRoutes(app);
  suspensionRoutes(app, tellSuspension);
  packageRoutes(app);
  versionRoutes(app);
  matrixRoutes(app);
  impactRoutes(app);
  publishRoutes(app);
  rolloutRoutes(app);
  featureListRoutes(app);
  featureRoutes(app);
  catalogRoutes(app);
  teamRoutes(app, sendLink);
  twoFactorResetRoutes(app, tell.twoFactorReset);
  serviceAccountRoutes(app);
  settingsRoutes(app);
  taxRateRoutes(app);
  viewRoutes(app);
  customerRoutes(app);
  customerSummaryRoutes(app);
  appCustomerRoutes(app);
  grantRoutes(app);
  addCheckRecorder(app);
  integrationRoutes(app);
  entitlementRoutes(app);
  const checks = openCachedChecks({ ...app.platform, db: app.platform.pools.checks.db });
  checkRoutes(app, checks);
  ofrepRoutes(app, checks);
  entitlementChangeRoutes(app);
  snapshotRoutes(app);
  usageRoutes(app, checks);
  settleRoutes(app);
  customerUsageRoutes(app);
  promotionRoutes(app);
  codeRoutes(app);
  simulationRoutes(app);
  transactionRoutes(app);
  saleRoutes(app);
  promotionPreviewRoutes(app);
  actionRoutes(app);
  refundRoutes(app);
  disputeRoutes(app);
  balanceRoutes(app);
  documentRoutes(app, sendDocument);
  subscriptionRoutes(app);
  pauseRoutes(app);
  changeRoutes(app);
  withdrawRoutes(app);
  trialRoutes(app);
  discountRoutes(app);
  moveRoutes(app);
  mergeRoutes(app);
  providerRoutes(app, providers, settle);
  privacyRoutes(app, writeExport);
  approvalRoutes(app, tell);
  webhookRoutes(app, reach);
  webhookLogRoutes(app);
  commentRoutes(app);
  importRoutes(app);
  importMappingRoutes(app);
  reportRoutes(app);
  reportRowRoutes(app);
  savedReportRoutes(app);
  homeRoutes(app);
  attentionRoutes(app);
};

export const compose = async (config: Config, options: Options) => {
  const counts = openCounts();
  const isTest = options.live !== undefined;
  const mail = openMailOf(config, isTest, counts);
  const tools = {
    ...jobsOf(config, mail, isTest ? silentMail : mail),
    reach: reachOf(config),
    reverting: revertingIn(config),
  };
  const { jobs, reach } = tools;
  const platform = await openPlatform(config, jobs, { ...options, counts }).catch((error) => {
    mail.close();
    throw error;
  });
  let stopPollers = async () => {};

  const openApp = async (router: ModeRouter | null = null) => {
    const app = await createServer(platform, openApprovalGate, { ...tools, router });
    const served = refuseOtherMethods(app);
    platformRoutes(app, tools);
    moduleRoutes(app, tools);
    if (isTest) refuseChangesOfShared(tools.writes);
    return { app, served };
  };

  return {
    platform,
    serve: async (router: ModeRouter | null = null) => {
      const { app, served } = await openApp(router);
      helpRoutes(app);
      const { basePath, apiBaseUrl: apiBase } = placesOf(config);
      referenceRoutes(app, {
        apps: () => describeAppApi(endpoints, { apiBase, root: basePath || "/" }),
        dashboard: () => describeApi(endpoints, apiBase),
      });
      answerUnknown(app, await pageRoutes(app));
      served();
      return app;
    },
    work: async () => {
      const { queues, db, log, now, announcements, jobSeconds } = platform;
      const { announce } = announcements;
      // A waiting change makes the requested call, so a worker needs the handlers, but no port.
      if (tools.writes.size === 0) await openApp();
      const prepare = platform.testMode?.prepare;
      const settings = { db, log, now, announce, jobSeconds, ...(prepare && { prepare }) };
      const waking = await work(queues, jobs, settings);
      const pollers = [
        waking,
        deliverWebhooks({ reach, keys: config.SECRET_KEYS, isTest }),
        ...(isTest ? testModePollers(platform, jobs) : []),
      ];
      stopPollers = startPollers(pollers, {
        db,
        log,
        now,
        stepOf: stepsOf(queues, { db, announce }),
      });
    },
    close: async () => {
      await stopPollers();
      await platform.close();
      mail.close();
    },
  };
};
