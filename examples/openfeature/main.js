// Asks Purser with an OpenFeature SDK: PURSER=https://purser.example.com PURSER_KEY=purser_sk_… node main.js <customer>
import { OFREPProvider } from "@openfeature/ofrep-provider";
import { OpenFeature } from "@openfeature/server-sdk";

const { PURSER, PURSER_KEY } = process.env;
const [, , targetingKey] = process.argv;

const headers = [["Authorization", `Bearer ${PURSER_KEY}`]];
await OpenFeature.setProviderAndWait(new OFREPProvider({ baseUrl: PURSER, headers }));
const client = OpenFeature.getClient();

const maps = await client.getBooleanValue("offline-maps", false, { targetingKey });
const remaining = await client.getNumberValue("exports", 0, { targetingKey });
process.stdout.write(`Offline maps: ${maps}\nExports left: ${remaining}\n`);
