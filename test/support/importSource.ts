import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { detectSource } from '../../src/model/importing/detection.ts';
import type { SourceOptions } from '../../src/model/importing/importOptions.ts';
import { openSourceReader } from '../../src/model/importing/readers/openReader.ts';
import { SourceFile } from '../../src/model/importing/sourceFile.ts';
import { type SourceValue, firstPlace, type Place, type RowFault } from '../../src/model/importing/sourceRow.ts';
import { temporaryFolder } from './temporaryFolder.ts';

/** A folder for files to import, and their rows. */
export class ImportFolder {
  readonly path = temporaryFolder();

  async write(name: string, content: string | Uint8Array): Promise<string> {
    const file = join(this.path, name);
    await writeFile(file, content);
    return file;
  }
}

export interface ReadFile {
  readonly options: SourceOptions;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SourceValue[])[];
  /** The line and the reason of each row that cannot be read. */
  readonly faults: readonly (readonly [line: number, fault: RowFault, text: string])[];
  readonly lines: readonly number[];
  readonly places: readonly Place[];
}

/** Writes a file and reads all of its rows, with the detected options unless some are set. */
export async function readRows(
  name: string,
  content: string | Uint8Array,
  options: Partial<SourceOptions> = {},
): Promise<ReadFile> {
  const folder = new ImportFolder();
  return readRowsOf(await folder.write(name, content), options);
}

/** The rows of a file from a place on. */
export async function readRowsOf(
  path: string,
  options: Partial<SourceOptions> = {},
  from = firstPlace,
): Promise<ReadFile> {
  await using file = await SourceFile.open(path);
  const all = { ...(await detectSource(file)), ...options };
  const reader = await openSourceReader(file, all);
  const rows: (readonly SourceValue[])[] = [];
  const faults: (readonly [number, RowFault, string])[] = [];
  const lines: number[] = [];
  const places: Place[] = [];
  for await (const block of reader.blocks(from)) {
    for (const [index, row] of block.rows.entries()) {
      if (row.fault) faults.push([row.line, row.fault, block.texts.textOf(index)]);
      else rows.push(row.cells);
      lines.push(row.line);
      places.push(block.placeAfter(index));
    }
  }
  return { options: all, columns: reader.columns, rows, faults, lines, places };
}
