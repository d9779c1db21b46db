/** A migration that has to wait. The message tells the operator what to do and is shown without a stack. */
export class MigrationError extends Error {}

export class BackfillRequired extends MigrationError {}
