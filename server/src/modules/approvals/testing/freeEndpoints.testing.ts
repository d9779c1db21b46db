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
  "API keys answer questions and change nothing": [
    ...["createAppKey", "revokeAppKey", "changeKeyOrigins", "createCustomerToken"],
  ],
  "Promotions: publishing one and making it larger require approval": [
    ...["archivePromotion", "createPromotion", "deletePromotion"],
    ...["pausePromotion", "restorePromotion", "resumePromotion", "addCodes"],
    ...["cancelSimulation", "startSimulation", "previewPromotion"],
  ],
  "Records money that came in, with the bank's reference, and is compared with the bank": [
    ...["changeTransaction", "quoteSale", "previewRefund"],
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
  ],
  "Runs the reverting call with the same approvals": ["revertEntry"],
  "Details of customers": [
    ...["bulkUsers", "changeUser", "createUser", "restoreUser", "suspendUser", "addUserNote"],
    ...["crossOutUserNote", "requestPersonalExport"],
  ],
  "Comments and what the caller has read": [
    ...["addAppComment", "addFeatureComment", "addPackageComment", "addPromotionComment"],
    ...["addTransactionComment", "crossOutAppComment", "crossOutFeatureComment"],
    ...["crossOutPackageComment", "crossOutPromotionComment", "crossOutTransactionComment"],
    "readNotifications",
  ],
  "The approvals themselves": [
    ...["approveApproval", "rejectApproval", "requestApproval", "withdrawApproval"],
  ],
  "Stores a report": ["reportIncident"],
};
