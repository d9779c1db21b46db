// Records with far more rows behind them than others.

/** The email address of a customer. */
export const heavyCustomer = "heavy@example.com";

/** The code of an app with 2,000 features. */
export const wideApp = "bulk-2";

/** The app that customers use. */
export const keyedApp = "many-office";
