import { type FileHandle, mkdir, open, readFile, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { beginningOf } from '../../base/oneLine.ts';
import { replaceFile } from '../replaceFile.ts';
import type { RowFault } from './sourceRow.ts';

export interface RejectedRow {
  readonly line: number;
  /** The column that the reason concerns, if it is known. */
  readonly column: string | undefined;
  readonly reason: RejectionReason;
  readonly text: string;
}

export type RejectionReason = RowFault | { readonly kind: 'refused'; readonly message: string };

/** A longer row is cut off in the file of rejected rows, in characters. Its line number leads to the whole row. */
const maxTextLength = 64 * 1024;

/** A larger file is not sorted: no editor opens it. */
const maxSortedBytes = 50 * 1024 * 1024;

type DescribeReason = (reason: RejectionReason) => string;

/** A CSV file of rows that were not imported, with their lines and the reasons. The file is created with the first row. */
export class RejectedRows implements AsyncDisposable {
  readonly #path: string;
  readonly #describe: DescribeReason;
  #handle: FileHandle | undefined;
  sizeBytes: number;

  constructor(path: string, sizeBytes: number, describe: DescribeReason) {
    this.#path = path;
    this.sizeBytes = sizeBytes;
    this.#describe = describe;
  }

  /** Removes rows after the known ones. They were added just before a crash, and the import continues before them. */
  async dropUnknown(): Promise<void> {
    await truncate(this.#path, this.sizeBytes).catch(() => undefined);
  }

  async add({ line, column, reason, text }: RejectedRow): Promise<void> {
    this.#handle ??= await this.#open();
    const values = [String(line), column ?? '', this.#describe(reason), beginningOf(text, maxTextLength)];
    await this.#write(csvLine(values));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
  }

  /** Puts the rows in the order of their lines: rows that wait for others are rejected after rows that follow them. */
  async sortByLine(): Promise<void> {
    if (this.sizeBytes === 0 || this.sizeBytes > maxSortedBytes) return;
    const [head, ...rows] = csvLines((await readFile(this.#path)).toString('utf8', 0, this.sizeBytes));
    rows.sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10));
    await replaceFile(this.#path, [head, ...rows].join(''));
  }

  async #open(): Promise<FileHandle> {
    if (this.sizeBytes > 0) return open(this.#path, 'r+');
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    const handle = await open(this.#path, 'w', 0o600);
    this.#handle = handle;
    await this.#write(csvLine(['line', 'column', 'reason', 'row']));
    return handle;
  }

  async #write(line: string): Promise<void> {
    const bytes = Buffer.from(line);
    await this.#handle!.write(bytes, 0, bytes.length, this.sizeBytes);
    this.sizeBytes += bytes.length;
  }
}

/** The lines of a CSV text. A value in quotes may have line feeds. */
function csvLines(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  let isQuoted = false;
  for (const part of text.split(/(?<=\n)/)) {
    line += part;
    if (part.split('"').length % 2 === 0) isQuoted = !isQuoted;
    if (isQuoted) continue;
    lines.push(line);
    line = '';
  }
  return lines;
}

const csvLine = (values: readonly string[]): string =>
  `${values.map(value => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(',')}\n`;
