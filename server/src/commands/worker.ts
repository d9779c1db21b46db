import { compose } from "../compose.ts";
import { type Command, untilStopped } from "./command.ts";

export const runWorker: Command = async (config) => {
  const product = await compose(config, { name: "purser worker", works: true, serves: false });
  await product.work();
  product.platform.log.info("worker started");
  await untilStopped(() => product.close());
};
