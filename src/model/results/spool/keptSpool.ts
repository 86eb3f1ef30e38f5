import { copyFile, link } from 'node:fs/promises';
import type { Column } from '../../../wire/values.ts';
import { Spool } from '../spool.ts';
import { readSidecar, writeSidecar } from './sidecar.ts';

/** Leaves the rows in another file as well, with what it takes to reopen them. On the same disk they take no more room by that. */
export async function keepSpool(spool: Spool, file: string, columns: readonly Column[]): Promise<void> {
  const { rowCount, size } = await spool.kept();
  await link(spool.file, file).catch(() => copyFile(spool.file, file));
  await writeSidecar(file, { columns, rowCount, size, blocks: spool.index.numbers() });
}

/** What was kept, to be read. It rejects with `result_gone` when the files are not there or not whole. */
export async function reopenSpool(file: string): Promise<{ spool: Spool; columns: readonly Column[] }> {
  const { columns, ...written } = await readSidecar(file);
  return { spool: await Spool.open(file, written), columns };
}
