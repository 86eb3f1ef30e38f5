/** Takes a streamed answer in one of the ways that the spool bench compares, in a fresh process each. */
import { Client } from '../../src/client/index.ts';
import { Spool } from '../../src/model/results/spool.ts';
import { temporaryFolder } from './temporaryFolder.ts';

export type SpoolWay = 'rawBatches' | 'spool';

const [url = '', wanted = ''] = process.argv.slice(2);
const client = new Client({ baseUrl: url, retries: 0 });
const folder = temporaryFolder();

/** Times a read until the last row has arrived, on disk if wanted. */
async function timeOf(rows: number): Promise<number> {
  const spool = wanted === 'spool' ? await Spool.create(folder) : undefined;
  const start = performance.now();
  const scanner = await client.execSqlStream('bench', { sql: `${rows} wide` });
  let count = 0;
  for await (const batch of scanner.rawBatches()) {
    count += batch.rowCount;
    await spool?.append(batch);
  }
  await spool?.flush();
  const time = performance.now() - start;
  if (count !== rows || (spool && spool.rowCount !== rows)) throw new Error(`${count} rows came.`);
  await spool?.delete();
  return time;
}

await timeOf(100_000);
process.send?.(await timeOf(1_000_000));
await client.close();
process.disconnect();
