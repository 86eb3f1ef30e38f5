import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from './waitUntil.ts';

/** A folder of the scheme `memory:`, for a window to open. */
export const memoryFolder = 'memory:/shared';

/** A file system in memory, provided by an extension. Its files are on no disk. */
export interface MemoryFiles extends AsyncDisposable {
  /** The extension's folder, for development mode. */
  readonly extension: string;
  /** The files of the folder: name to content. */
  read(): Promise<Readonly<Record<string, string>>>;
  /** From now on, a write keeps half of the file and fails. */
  fillUp(): Promise<void>;
  /** From now on, writes succeed and renames fail. */
  refuseNames(): Promise<void>;
  /** From now on, writes wait. */
  hold(): Promise<void>;
  /** Resolves when a write waits. */
  arrived(): Promise<void>;
  release(): Promise<void>;
}

const manifest = {
  ...{ name: 'memory-files', publisher: 'test', version: '0.0.1', main: './main.cjs' },
  ...{ engines: { vscode: '^1.100.0' }, activationEvents: ['*', 'onFileSystem:memory'] },
};

const main = `
  const { writeFileSync } = require('node:fs');
  const { createServer } = require('node:http');
  const { join } = require('node:path');
  const { EventEmitter, FileSystemError, FileType, workspace } = require('vscode');
  const files = new Map();
  let isFull = false;
  let refusesNames = false;
  let held;
  let arrived = Promise.withResolvers();
  const stat = size => ({ type: FileType.File, ctime: 1, mtime: Date.now(), size });
  const there = ({ path }) => {
    const content = files.get(path);
    if (!content) throw FileSystemError.FileNotFound(path);
    return content;
  };
  const provider = {
    onDidChangeFile: new EventEmitter().event,
    watch: () => ({ dispose() {} }),
    stat: uri => (uri.path === '/' || uri.path === '/shared' ? { ...stat(0), type: FileType.Directory } : stat(there(uri).length)),
    readDirectory: () => [...files.keys()].map(path => [path.slice('/shared/'.length), FileType.File]),
    createDirectory() {},
    readFile: uri => there(uri),
    async writeFile({ path }, content) {
      arrived.resolve();
      await held?.promise;
      files.set(path, isFull ? content.slice(0, content.length / 2) : content);
      if (isFull) throw FileSystemError.Unavailable('The memory is full.');
    },
    delete: ({ path }) => void files.delete(path),
    rename(from, to) {
      if (refusesNames) throw FileSystemError.NoPermissions('Names are for good here.');
      files.set(to.path, there(from));
      files.delete(from.path);
    },
  };
  exports.activate = () => {
    workspace.registerFileSystemProvider('memory', provider, { isCaseSensitive: true });
    const server = createServer(async (request, response) => {
      if (request.url === '/full') isFull = true;
      if (request.url === '/refuse') [isFull, refusesNames] = [false, true];
      if (request.url === '/hold') [held, arrived] = [Promise.withResolvers(), Promise.withResolvers()];
      if (request.url === '/arrived') await arrived.promise;
      if (request.url === '/release') held.resolve();
      const shown = [...files].map(([path, content]) => [path.slice('/shared/'.length), Buffer.from(content).toString()]);
      response.end(JSON.stringify(Object.fromEntries(shown)));
    });
    server.listen(0, '127.0.0.1', () => writeFileSync(join(__dirname, 'port'), String(server.address().port)));
  };
`;

export async function memoryFiles(): Promise<MemoryFiles> {
  const extension = await mkdtemp(join(tmpdir(), 'memory-files-'));
  await writeFile(join(extension, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(extension, 'main.cjs'), main);
  const ask = async (path: string): Promise<Readonly<Record<string, string>>> => {
    const port = await waitUntil(() => readFile(join(extension, 'port'), 'utf8').catch(() => ''), {
      what: 'nobody provides files in memory',
    });
    return (await (await fetch(`http://127.0.0.1:${port}/${path}`)).json()) as Readonly<Record<string, string>>;
  };
  return {
    extension,
    read: () => ask(''),
    fillUp: async () => void (await ask('full')),
    refuseNames: async () => void (await ask('refuse')),
    hold: async () => void (await ask('hold')),
    arrived: async () => void (await ask('arrived')),
    release: async () => void (await ask('release')),
    [Symbol.asyncDispose]: () => rm(extension, { recursive: true, force: true }),
  };
}
