import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Starts a process that never ends by itself and leaves the group of its parent. A file with the name of the test file has its ID. */
export async function startChild(testFile: string): Promise<void> {
  const program = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('started')`;
  const child = spawn(process.execPath, ['-e', program], { detached: true });
  await once(child.stdout, 'data');
  const file = join(process.env['PLANTED_FOLDER'] ?? '', testFile);
  writeFileSync(`${file}.new`, String(child.pid));
  renameSync(`${file}.new`, file);
}
