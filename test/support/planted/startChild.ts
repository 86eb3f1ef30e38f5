import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';

/** Starts a process that never ends by itself and leaves the group of its parent, and tells its id in a file. */
export async function startChild(): Promise<void> {
  const program = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('started')`;
  const child = spawn(process.execPath, ['-e', program], { detached: true });
  await once(child.stdout, 'data');
  writeFileSync(process.env['PLANTED_PID_FILE'] ?? '', String(child.pid));
}
