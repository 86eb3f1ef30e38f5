import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../temporaryFolder.ts';
import { waitUntil } from './waitUntil.ts';

/** Its code may call `serve`, which takes the handler of an HTTP server and writes the server's port into a file. */
const prelude = `
  const serve = handler => {
    const server = require('node:http').createServer(handler);
    const file = require('node:path').join(__dirname, 'port');
    server.listen(0, '127.0.0.1', () => require('node:fs').writeFileSync(file, String(server.address().port)));
  };
`;

/** An extension of a test, which answers requests from within the extension host. */
export class ServingExtension {
  /** The folder of the extension, for development mode. */
  readonly folder = temporaryFolder();

  constructor(name: string, main: string, activationEvents: readonly string[] = ['*']) {
    const engines = { vscode: '^1.100.0' };
    const manifest = { name, publisher: 'test', version: '0.0.1', main: './main.cjs', engines, activationEvents };
    writeFileSync(join(this.folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(this.folder, 'main.cjs'), prelude + main);
  }

  async request(path = '', init: RequestInit = {}): Promise<unknown> {
    const readPort = (): Promise<string> => readFile(join(this.folder, 'port'), 'utf8').catch(() => '');
    const port = await waitUntil(readPort, { what: 'the extension of the test does not start' });
    return (await fetch(`http://127.0.0.1:${port}/${path}`, init)).json();
  }
}
