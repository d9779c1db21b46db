import { endpoints } from "@purser/contract/endpoints";
import type { FastifyInstance } from "fastify";
import type { Config } from "./config.ts";
import { appKeyRoutes, appListRoutes, appRoutes } from "./modules/apps/routes.ts";
import { catalogueRoutes } from "./modules/catalogue/routes.ts";
import { featureListRoutes, featureRoutes } from "./modules/features/routes.ts";
import { catchUp, publishScheduled, rollOut } from "./modules/packages/jobs.ts";
import { impactRoutes, publishRoutes, rolloutRoutes } from "./modules/packages/publishRoutes.ts";
import { matrixRoutes, packageRoutes, versionRoutes } from "./modules/packages/routes.ts";
import { codeRoutes, promotionRoutes } from "./modules/promotions/routes.ts";
import { configuredProviders } from "./modules/providers/configured.ts";
import { reconcilePayments, settleProviderEvent } from "./modules/providers/jobs.ts";
import { providerRoutes } from "./modules/providers/routes.ts";
import { entitlementRoutes, grantRoutes } from "./modules/rights/routes.ts";
import { actRoutes, refundRoutes } from "./modules/transactions/actRoutes.ts";
import { renewSubscriptions } from "./modules/transactions/renewals.ts";
import { replayPromotion, replayRoutes } from "./modules/transactions/replays.ts";
import { transactionRoutes } from "./modules/transactions/routes.ts";
import { promotionPreviewRoutes, saleRoutes } from "./modules/transactions/saleRoutes.ts";
import {
  changeRoutes,
  subscriptionRoutes,
  trialRoutes,
} from "./modules/transactions/subscriptionRoutes.ts";
import { staffRoutes } from "./modules/users/routes.ts";
import { deliverWebhooks } from "./modules/webhooks/deliver.ts";
import { forgetWebhooks } from "./modules/webhooks/jobs.ts";
import { webhookLogRoutes, webhookRoutes } from "./modules/webhooks/routes.ts";
import { activityRoutes } from "./platform/audit/routes.ts";
import { authenticatorRoutes, passkeyRoutes } from "./platform/auth/factorRoutes.ts";
import { sendLinkJob } from "./platform/auth/links.ts";
import { passwordRoutes } from "./platform/auth/passwordRoutes.ts";
import { preferenceRoutes } from "./platform/auth/preferences.ts";
import { signInRoutes } from "./platform/auth/signInRoutes.ts";
import { draftRoutes } from "./platform/drafts.ts";
import { eventRoutes } from "./platform/events/stream.ts";
import { answerUnknown } from "./platform/http/errors.ts";
import { incidentRoutes } from "./platform/http/incidents.ts";
import { refuseOtherMethods } from "./platform/http/methods.ts";
import { officeOf, placesOf } from "./platform/http/mount.ts";
import { describeApi } from "./platform/http/openapi.ts";
import { pageRoutes } from "./platform/http/pages.ts";
import { referenceRoutes } from "./platform/http/reference.ts";
import { createServer } from "./platform/http/server.ts";
import { iconRoutes } from "./platform/icons/routes.ts";
import { housekeeping } from "./platform/jobs/housekeeping.ts";
import { startLoops } from "./platform/jobs/loops.ts";
import type { Job } from "./platform/jobs/queues.ts";
import { jobRoutes } from "./platform/jobs/routes.ts";
import { stepsOf, work } from "./platform/jobs/work.ts";
import type { Logger } from "./platform/log.ts";
import { type Mailer, openMail } from "./platform/mail/mail.ts";
import { reachOf } from "./platform/outbound/targets.ts";
import { type Clock, openPlatform } from "./platform/platform.ts";

type Options = { name: string; works: boolean; clock?: Clock; log?: Logger };

const jobsOf = (config: Config, mail: Mailer) => {
  const zone = config.COMPANY_TIME_ZONE;
  const providers = configuredProviders(config);
  const sendLink = sendLinkJob(mail, officeOf(config));
  const settle = settleProviderEvent(providers, zone);
  const jobs: Job[] = [
    ...housekeeping,
    sendLink,
    publishScheduled,
    rollOut,
    catchUp,
    renewSubscriptions(zone),
    replayPromotion,
    settle,
    reconcilePayments(providers, settle, zone),
    forgetWebhooks,
  ];
  return { jobs, sendLink, providers, settle };
};

/** The whole product, put together: one line per module. */
export const compose = async (config: Config, options: Options) => {
  const mail = openMail(config.SMTP_URL, config.MAIL_FROM);
  const { jobs, sendLink, providers, settle } = jobsOf(config, mail);
  const reach = reachOf(config);
  const platform = await openPlatform(config, jobs, options);
  let endLoops = async () => {};

  const routes = (app: FastifyInstance) => {
    signInRoutes(app);
    passwordRoutes(app, sendLink);
    authenticatorRoutes(app);
    passkeyRoutes(app);
    preferenceRoutes(app);
    draftRoutes(app);
    appListRoutes(app);
    appRoutes(app);
    appKeyRoutes(app);
    packageRoutes(app);
    versionRoutes(app);
    matrixRoutes(app);
    impactRoutes(app);
    publishRoutes(app);
    rolloutRoutes(app);
    featureListRoutes(app);
    featureRoutes(app);
    catalogueRoutes(app);
    staffRoutes(app, sendLink);
    grantRoutes(app);
    entitlementRoutes(app);
    promotionRoutes(app);
    codeRoutes(app);
    replayRoutes(app);
    transactionRoutes(app);
    saleRoutes(app);
    promotionPreviewRoutes(app);
    actRoutes(app);
    refundRoutes(app);
    subscriptionRoutes(app);
    changeRoutes(app);
    trialRoutes(app);
    providerRoutes(app, providers, settle);
    webhookRoutes(app, reach);
    webhookLogRoutes(app);
    jobRoutes(app);
    activityRoutes(app);
    eventRoutes(app);
    iconRoutes(app);
    incidentRoutes(app);
  };

  return {
    platform,
    serve: async () => {
      const app = await createServer(platform);
      const served = refuseOtherMethods(app);
      routes(app);
      referenceRoutes(app, describeApi(endpoints, placesOf(config).apiBaseUrl));
      answerUnknown(app, await pageRoutes(app));
      served();
      return app;
    },
    work: async () => {
      const { queues, db, log, now, announcements } = platform;
      const { announce } = announcements;
      await work(queues, jobs, { db, log, now, announce });
      const loops = [deliverWebhooks({ reach, secretKey: config.SECRET_KEY })];
      endLoops = startLoops(loops, { db, log, now, stepOf: stepsOf(queues, { db, announce }) });
    },
    close: async () => {
      await endLoops();
      await platform.close();
      mail.close();
    },
  };
};
