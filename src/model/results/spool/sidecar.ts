import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { asArrayOf, asCount, asRecord, asString, parseJson } from '../../../base/shape.ts';
import { ProjectError } from '../../../base/errors.ts';
import type { Column } from '../../../wire/values.ts';
import type { WrittenSpool } from '../spool.ts';

/** What has to be known of a file of rows to read it again: what is not in the file itself. */
export interface Sidecar extends WrittenSpool {
  readonly columns: readonly Column[];
}

const version = 1;
/** As much as belongs to a quarter of a terabyte. A file that claims more is not one of ours. */
const mostBytes = 100 * 1024 * 1024;

const sidecarOf = (file: string): string => `${file}.index`;

/** A line of JSON, and the blocks as bytes behind it. It is whole or not there, whenever the window ends. */
export async function writeSidecar(file: string, { columns, rowCount, size, blocks }: Sidecar): Promise<void> {
  const head = `${JSON.stringify({ version, columns, rowCount, size, blocks: blocks.length / 2 })}\n`;
  const path = sidecarOf(file);
  const bytes = Buffer.concat([Buffer.from(head), Buffer.from(blocks.buffer, blocks.byteOffset, blocks.byteLength)]);
  await writeFile(`${path}.new`, bytes, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

export async function readSidecar(file: string): Promise<Sidecar> {
  try {
    const path = sidecarOf(file);
    if ((await stat(path)).size > mostBytes) throw new Error('The index is too large.');
    const sidecar = decode(await readFile(path));
    if (!sidecar || (await stat(file)).size < sidecar.size) throw new Error('The index does not fit the rows.');
    return sidecar;
  } catch (cause) {
    throw new ProjectError('closed', 'result_gone', 'The rows of this result are not there any more.', { cause });
  }
}

function decode(bytes: Buffer): Sidecar | undefined {
  const end = bytes.indexOf('\n');
  const head = asRecord(parseJson(bytes.toString('utf8', 0, end)));
  if (head?.['version'] !== version) return undefined;
  const columns = asArrayOf(head['columns'], decodeColumn);
  const [rowCount, size, count] = [asCount(head['rowCount']), asCount(head['size']), asCount(head['blocks'])];
  if (!columns || rowCount === undefined || size === undefined || count === undefined) return undefined;
  if (bytes.length - end - 1 !== count * 16) return undefined;
  const blocks = new Float64Array(Uint8Array.from(bytes.subarray(end + 1)).buffer);
  return areInOrder(blocks, rowCount, size) ? { columns, rowCount, size, blocks } : undefined;
}

/** Whether the blocks follow each other from the beginning and none of them is empty. */
function areInOrder(blocks: Float64Array, rowCount: number, size: number): boolean {
  if (blocks.length === 0) return rowCount === 0;
  const begins = [...blocks, rowCount, size];
  return begins.every((number, at) =>
    at < 2 ? number === 0 : Number.isSafeInteger(number) && number > (begins[at - 2] ?? 0),
  );
}

function decodeColumn(value: unknown): Column | undefined {
  const record = asRecord(value);
  const [name, type] = [asString(record?.['name']), asString(record?.['type'])];
  return name === undefined || type === undefined ? undefined : { name, type };
}
