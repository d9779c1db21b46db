import type { Calls } from "./calls.ts";

/** As the screen sends it. */
const partMax = 200_000;
const header = "id,email,name,company,country,created\n";

function* partsOf(rows: number) {
  let text = header;
  for (let row = 1; row <= rows; row += 1) {
    text += `ext-${row},imported-${row}@example.com,Customer ${row},Company ${row % 1000},DE,2025-0${1 + (row % 9)}-1${row % 10}\n`;
    if (text.length < partMax && row < rows) continue;
    yield { text, isLast: row === rows };
    text = "";
  }
}

/** Uploads a file with that many customers in parts, and returns the ID of the import. */
export const uploadCustomers = async ({ send }: Calls, rows: number) => {
  const body = { kind: "customers", name: "customers.csv" };
  const { id } = await send<{ id: string }>("POST", "/imports", body);
  let part = 0;
  for (const content of partsOf(rows)) {
    part += 1;
    await send("PUT", `/imports/${id}/parts/${part}`, content);
  }
  return id;
};

/** The lines of a file as it arrives, without keeping it. */
export async function* linesOf({ body }: Response) {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of body ?? []) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") yield line.trimEnd();
  }
  if (rest !== "") yield rest;
}
