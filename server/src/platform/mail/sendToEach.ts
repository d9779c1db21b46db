/** Sends an email to each reader. An address that the mail server refuses doesn't keep it from others. */
export const sendToEach = async <Reader>(
  readers: readonly Reader[],
  send: (reader: Reader) => Promise<void>,
  failure: string,
) => {
  const failures: unknown[] = [];
  for (const reader of readers) await send(reader).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, failure);
};
