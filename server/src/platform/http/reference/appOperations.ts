type Operation = { tag: string; description: string };

/** The groups of the document for apps, in the order of the reference. */
export const appTags: Readonly<Record<string, string>> = {
  Customers: "Customers by the ID that your apps use for them.",
  Entitlements:
    "What a customer can use. Checks answer in milliseconds and never need a retry key.",
  Usage: "Metered features and limits. Every event has an ID, so that it is counted once.",
  OpenFeature: "The OpenFeature Remote Evaluation Protocol (OFREP), for every OpenFeature SDK.",
  Buying: "Prices, sales and trials, with the rules and previews of the dashboard.",
  Subscriptions: "Changes of package and quantity, cancellations and pauses.",
};

const needsKey = "Requires an API key of the app with the scope";
const needsService = "Requires the key of a service account with the permission";

/** The endpoints of the document for apps. Backends need no others to sell and to check. */
export const appOperations: Readonly<Record<string, Operation>> = {
  upsertCustomer: {
    tag: "Customers",
    description: `Creates the customer with this external ID or updates the sent fields. Repeating a request changes nothing. A customer who is known only by the email address gets the external ID, so verify addresses before you send them. The address of a customer with another external ID is refused with \`taken\`. ${needsService} \`users:write\`, or an API key of an app with the scope \`customers:write\`.`,
  },
  getCustomer: {
    tag: "Customers",
    description: `Returns the customer with entitlements and subscriptions. An unknown external ID is answered with the default values of all features instead of 404. ${needsService} \`users:read\`, or an API key of an app with the scope \`customers:read\`. The balance and documents require \`transactions:read\`.`,
  },
  checkFeature: {
    tag: "Entitlements",
    description: `Answers whether the customer can use the feature, and why. ${needsKey} \`entitlements:read\`. In a browser, use a publishable key with a customer token.`,
  },
  checkFeatures: {
    tag: "Entitlements",
    description: `Answers for all features of the app at once, for example when a customer signs in. ${needsKey} \`entitlements:read\`.`,
  },
  checkQuestions: {
    tag: "Entitlements",
    description: `Answers up to 100 questions about any customers and features of the app. ${needsKey} \`entitlements:read\`.`,
  },
  getSnapshot: {
    tag: "Entitlements",
    description: `Returns the entitlements of a customer as a signed token, which an app verifies with \`/.well-known/jwks.json\` and uses without a connection until it expires. ${needsKey} \`entitlements:read\`.`,
  },
  streamChanges: {
    tag: "Entitlements",
    description: `Names customers whose entitlements may have changed, as server-sent events, so that an app requests new answers. ${needsKey} \`entitlements:read\`.`,
  },
  createCustomerToken: {
    tag: "Entitlements",
    description: `Creates the token that a browser sends together with a publishable key. ${needsKey} \`entitlements:read\`.`,
  },
  getCallingApp: {
    tag: "Entitlements",
    description: "Returns the app and the scopes of the API key, to test a configuration.",
  },
  recordUsage: {
    tag: "Usage",
    description: `Records what customers used, up to 31 days late. Each event has its own result. ${needsKey} \`usage:write\`.`,
  },
  consumeUsage: {
    tag: "Usage",
    description: `Checks the feature and counts the amount if it is allowed, in one step. With \`allowed: false\` nothing was counted. ${needsKey} \`usage:write\`.`,
  },
  reserveUsage: {
    tag: "Usage",
    description: `Reserves an amount for work that takes long or whose size isn't known yet. ${needsKey} \`usage:write\`.`,
  },
  confirmReservation: {
    tag: "Usage",
    description: `Counts the used part of a reservation and releases the rest. ${needsKey} \`usage:write\`.`,
  },
  releaseReservation: {
    tag: "Usage",
    description: `Releases a reservation without counting anything. ${needsKey} \`usage:write\`.`,
  },
  quoteSale: {
    tag: "Buying",
    description: `Returns the price with promotions, tax and credits, and what the sale would do. Nothing is stored. Name the customer in \`user\`, by external ID, ID in Purser or email address, or in \`email\` an address that may be new. An unknown \`user\` is refused. ${needsService} \`transactions:read\`.`,
  },
  createTransaction: {
    tag: "Buying",
    description: `Records a sale that your backend collected the payment for, to a customer named as in the quote. A succeeded sale gives access. Send the total of the quote: if the price has changed, the sale is refused with \`impact_changed\`. ${needsService} \`transactions:write\`.`,
  },
  startTrial: {
    tag: "Buying",
    description: `Starts the free trial of a package, once per customer and package. The customer is named as in a quote. ${needsService} \`users:write\`.`,
  },
  getDocumentFile: {
    tag: "Buying",
    description: `Downloads an invoice or credit note as PDF. ${needsService} \`transactions:read\`.`,
  },
  listSubscriptions: {
    tag: "Subscriptions",
    description: `Returns the latest 100 subscriptions of a customer, by the customer's ID in Purser. \`GET /customers/{externalId}\` has them with their versions by external ID. ${needsService} \`users:read\`.`,
  },
  getSubscription: {
    tag: "Subscriptions",
    description: `Returns one subscription. Its ETag is the version that changes require in \`If-Match\`. ${needsService} \`users:read\`.`,
  },
  previewChange: {
    tag: "Subscriptions",
    description: `Returns the price of another package or quantity, and the features that the customer gains and loses. Nothing is stored. ${needsService} \`users:read\`.`,
  },
  changeSubscription: {
    tag: "Subscriptions",
    description: `Changes the package or the quantity, now or at the end of the period. ${needsService} \`users:write\`.`,
  },
  withdrawChange: {
    tag: "Subscriptions",
    description: `Withdraws a change that is scheduled or waits for its payment. ${needsService} \`users:write\`.`,
  },
  cancelSubscription: {
    tag: "Subscriptions",
    description: `Cancels a subscription now or at the end of the period. ${needsService} \`users:write\`.`,
  },
  keepSubscription: {
    tag: "Subscriptions",
    description: `Undoes a cancellation or change that is scheduled for the end of the period. ${needsService} \`users:write\`.`,
  },
  pauseSubscription: {
    tag: "Subscriptions",
    description: `Pauses a subscription. The customer has no access until it is resumed. ${needsService} \`users:write\`.`,
  },
  resumeSubscription: {
    tag: "Subscriptions",
    description: `Resumes a paused subscription. The rest of the paid period continues. ${needsService} \`users:write\`.`,
  },
};
