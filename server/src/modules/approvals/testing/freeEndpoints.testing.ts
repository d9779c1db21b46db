/** Why an endpoint needs no approval: it gives no one money, access or power, or something else limits it. */
export const free: Record<string, readonly string[]> = {
  "The own account: proof of identity protects it": [
    ...["changeOwnName", "signOut", "signIn", "signInWithCode", "signInWithPasskey"],
    ...["startPasskeySignIn", "changePassword", "forgotPassword", "getLink", "setPassword"],
    ...["confirmTotp", "removeTotp", "startTotp", "addPasskey", "removePasskey", "renamePasskey"],
    ...["startPasskey", "signInWithSso", "startSso", "endOwnSession", "signOutEverywhere"],
    ...["changePreferences", "removeDraft", "saveDraft", "startPasskeyConfirmation"],
    ...["confirmWithPasskey", "confirmWithCode", "confirmWithPassword"],
  ],
  "Ends sessions only: the team member signs in again": [
    ...["endTeamMemberSession", "endTeamMemberSessions", "resendTeamMemberInvitation"],
  ],
  "The catalog: nothing is sold before a version is published": [
    ...["activateApp", "archiveApp", "bulkApps", "changeApp", "createApp", "deleteApp"],
    ...["restoreApp", "activateFeature", "archiveFeature", "bulkFeatures", "changeFeature"],
    ...["createFeature", "deleteFeature", "restoreFeature", "archivePackage", "changePackage"],
    ...["createPackage", "deletePackage", "restorePackage", "discardDraft", "retireVersion"],
    ...["startDraft", "changeMatrix", "previewImpact", "applyCatalog", "diffCatalog"],
    ...["unschedulePackage", "pauseRollout", "resumeRollout"],
  ],
  "Takes access away or stops an app": ["resumeApp", "suspendApp", "revokeAccess"],
  "API keys of apps give no access: they check, count usage and store contact details": [
    ...["createAppKey", "revokeAppKey", "changeKeyOrigins", "createCustomerToken"],
    "checkQuestions",
  ],
  "Usage: apps count what customers use, and corrections have a reason in the audit log": [
    ...["recordUsage", "consumeUsage", "reserveUsage", "confirmReservation", "releaseReservation"],
    "correctUsage",
  ],
  "Service accounts: at most the creator's permissions, and their calls require the same approvals":
    [
      ...["createServiceAccount", "changeServiceAccount", "restoreServiceAccount"],
      ...["suspendServiceAccount", "createServiceKey", "rotateServiceKey", "revokeServiceKey"],
    ],
  "Promotions: publishing one and making it larger require approval": [
    ...["archivePromotion", "createPromotion", "deletePromotion"],
    ...["pausePromotion", "restorePromotion", "resumePromotion", "shortenPromotion", "addCodes"],
    ...["cancelSimulation", "startSimulation", "previewPromotion"],
  ],
  "Records money that came in, with the bank's reference, and is compared with the bank": [
    ...["changeTransaction", "tagTransaction", "quoteSale", "previewRefund"],
    ...["resolveTransaction", "submitTransaction", "voidTransaction", "receiveProviderEvent"],
    ...["retryProviderEvent"],
  ],
  "Moves or ends what a customer has paid for": [
    ...["cancelSubscription", "keepSubscription", "pauseSubscription", "resumeSubscription"],
    ...["previewChange", "withdrawChange", "previewMerge", "previewTransfer"],
  ],
  "Tax and documents follow from sales": [
    ...["changeTaxRate", "createTaxRate", "deleteTaxRate", "issueDocuments", "sendDocument"],
  ],
  "Webhooks and jobs repeat what was decided": [
    ...["changeWebhookEndpoint", "createWebhookEndpoint", "deleteWebhookEndpoint"],
    ...["disableWebhookEndpoint", "enableWebhookEndpoint", "resendFailed"],
    ...["resendWebhookDelivery", "rotateWebhookSecret", "testWebhookEndpoint", "retryJob"],
    ...["moveTestClock", "retryJobs", "startVerification"],
  ],
  "Runs the reverting call with the same approvals": ["revertEntry"],
  "Bulk jobs make the single calls with the same approvals, and exports change nothing": [
    ...["startBulkApps", "startBulkFeatures", "startBulkPackages", "startBulkPromotions"],
    ...[
      "startBulkTransactions",
      "startBulkUsers",
      "startAppsExport",
      "startFeaturesExport",
      "startPackagesExport",
    ],
    ...["startPromotionsExport", "startTransactionsExport", "startUsersExport"],
    ...["stopListJob", "undoListJob", "dismissListJob"],
  ],
  "Details of customers": [
    ...["bulkUsers", "changeUser", "createUser", "restoreUser", "suspendUser", "addUserNote"],
    "upsertCustomer",
    ...["crossOutUserNote", "requestPersonalExport"],
  ],
  "Prepares an import, continues one that was started, or undoes only what was imported": [
    ...["createImport", "uploadImportPart", "mapImport", "replaceInImport"],
    ...["pauseImport", "resumeImport", "stopImport", "undoImport"],
  ],
  "How lists and reports look": [
    ...["shareView", "changeSharedView", "deleteSharedView"],
    ...["saveReport", "deleteSavedReport", "restoreSavedReport", "scheduleReport"],
    ...["saveImportMapping", "deleteImportMapping"],
  ],
  "Comments and what the caller has read": [
    ...["addAppComment", "addFeatureComment", "addPackageComment", "addPromotionComment"],
    ...["addTransactionComment", "crossOutAppComment", "crossOutFeatureComment"],
    ...["crossOutPackageComment", "crossOutPromotionComment", "crossOutTransactionComment"],
    ...["readNotifications", "assignAttention", "snoozeAttention"],
  ],
  "The approvals themselves": [
    ...["approveApproval", "rejectApproval", "requestApproval", "withdrawApproval"],
  ],
  "Stores a report": ["reportIncident"],
};
