import { copyFile, link, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { arrayOf, asCount, asString, type Infer, object, oneOf, optional, parseJson } from '../../../base/decode.ts';
import { ProjectError } from '../../../base/errors.ts';
import type { Column } from '../../../wire/values.ts';
import { Spool, type SpoolContents } from '../spool.ts';

/** A spool that outlives the window: the file of rows, and beside it an index with what is needed to read it. */
interface SavedIndex extends SpoolContents {
  readonly columns: readonly Column[];
}

const version = 1;
const bytesPerBlock = 16;
/** The index of a quarter of a terabyte of rows. A larger file is not an index of ours. */
const maxIndexBytes = 100 * 1024 * 1024;
/** The names and types of far more columns than a table has. */
const maxHeadBytes = 8 * 1024 * 1024;
/** The largest row that the client takes, with room for the bytes before it in its block. */
const maxBlockBytes = 65 * 1024 * 1024;
const minRowBytes = 3;

const indexPath = (file: string): string => `${file}.index`;

/** All files of a saved spool. */
export const savedFiles = (file: string): string[] => [file, indexPath(file)];

/** Saves the rows in another file. On the same disk, both names share the rows, which then take no further space. */
export async function saveSpool(spool: Spool, file: string, columns: readonly Column[]): Promise<void> {
  const { rowCount, size } = await spool.writtenExtent();
  await link(spool.file, file).catch(() => copyFile(spool.file, file));
  await writeIndex(file, { columns, rowCount, size, blocks: spool.index.numbers() });
}

/** Opens a saved spool for reading. Rejects with `result_gone` if a file is missing or incomplete. */
export async function openSavedSpool(file: string): Promise<{ spool: Spool; columns: readonly Column[] }> {
  const { columns, ...contents } = await readIndex(file);
  return { spool: await Spool.open(file, contents), columns };
}

/** Writes a line of JSON and then the bytes of the blocks. The rename makes sure that the file is never incomplete. */
async function writeIndex(file: string, { columns, rowCount, size, blocks }: SavedIndex): Promise<void> {
  const head = `${JSON.stringify({ version, columns, rowCount, size, blocks: blocks.length / 2 })}\n`;
  const bytes = Buffer.concat([Buffer.from(head), Buffer.from(blocks.buffer, blocks.byteOffset, blocks.byteLength)]);
  const path = indexPath(file);
  await writeFile(`${path}.new`, bytes, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

async function readIndex(file: string): Promise<SavedIndex> {
  try {
    const path = indexPath(file);
    if ((await stat(path)).size > maxIndexBytes) throw new Error('The index is too large.');
    const index = decodeIndex(await readFile(path));
    if (!index || (await stat(file)).size < index.size) throw new Error('The index does not fit the rows.');
    return index;
  } catch (cause) {
    throw new ProjectError(
      'closed',
      'result_gone',
      'The rows of this result no longer exist. Run the statement again.',
      { cause },
    );
  }
}

const decodeHead = object({
  version: oneOf([version]),
  columns: arrayOf(object({ name: asString, type: asString, key: optional(asString) })),
  rowCount: asCount,
  size: asCount,
  blocks: asCount,
});

function decodeIndex(bytes: Buffer): SavedIndex | undefined {
  const headEnd = bytes.indexOf('\n');
  if (headEnd > maxHeadBytes) return undefined;
  const head = decodeHead(parseJson(bytes.toString('utf8', 0, headEnd)));
  if (!head || bytes.length - headEnd - 1 !== head.blocks * bytesPerBlock) return undefined;
  const blocks = new Float64Array(head.blocks * 2);
  bytes.copy(new Uint8Array(blocks.buffer), 0, headEnd + 1);
  return areBlocksInOrder(blocks, head) ? { ...head, blocks } : undefined;
}

/** Whether the blocks follow each other from the beginning, and each has room for its rows. */
function areBlocksInOrder(blocks: Float64Array, { rowCount, size }: Infer<typeof decodeHead>): boolean {
  if (blocks.length === 0) return rowCount === 0;
  if (blocks[0] !== 0 || blocks[1] !== 0) return false;
  for (let at = 0; at < blocks.length; at += 2) {
    const rows = (blocks[at + 2] ?? rowCount) - blocks[at]!;
    const length = (blocks[at + 3] ?? size) - blocks[at + 1]!;
    const isPossible = Number.isSafeInteger(rows) && Number.isSafeInteger(length) && rows > 0;
    // The last row has no comma.
    if (!isPossible || length > maxBlockBytes || rows * minRowBytes > length + 1) return false;
  }
  return true;
}
