import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as source from '../../src/client/index.ts';

const root = join(import.meta.dirname, '../..');

test('another project can import sql-project-explorer/client with its types', () => {
  const folder = join(root, '.cache/consumer');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  try {
    symlinkSync(root, join(folder, 'node_modules/sql-project-explorer'), 'junction');
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const program = `
      import { Client, VERSION, type Row } from 'sql-project-explorer/client';
      import * as everything from 'sql-project-explorer/client';
      const client: Client = new Client({ baseUrl: 'http://127.0.0.1:1', retries: 0 });
      const version: string = VERSION;
      const rows: readonly Row[] = [];
      // @ts-expect-error: a limit is a number, so the types are there.
      void client.browseRows('p', 't', { limit: 'many', signal: AbortSignal.abort() }).catch(() => undefined);
      await client.close();
      console.log(JSON.stringify({ version, rows, names: Object.keys(everything) }));
    `;
    writeFileSync(join(folder, 'consumer.ts'), program);
    const options = [
      '--ignoreConfig',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--strict',
      '--skipLibCheck',
      '--noEmit',
    ];
    const tsc = [join(root, 'node_modules/typescript/bin/tsc'), ...options, '--types', 'node', 'consumer.ts'];
    const types = spawnSync(process.execPath, tsc, { cwd: folder, encoding: 'utf8' });
    assert.equal(types.status, 0, types.stdout);
    const { stdout, stderr } = spawnSync(process.execPath, ['consumer.ts'], { cwd: folder, encoding: 'utf8' });
    const said = JSON.parse(stdout || JSON.stringify(stderr)) as { version: string; names: string[] };
    assert.equal(said.version, source.VERSION);
    assert.deepEqual(said.names.toSorted(), Object.keys(source).toSorted());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
