import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitUntil } from './waitUntil.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

/** A folder of the scheme `memory:`, for a window to open. */
export const memoryFolder = 'memory:/shared';

/** A file system in memory, provided by an extension. Its files are on no disk. */
export interface MemoryFiles {
  /** The extension's folder, for development mode. */
  readonly extension: string;
  /** The files of the folder: name to content. */
  read(): Promise<Readonly<Record<string, string>>>;
}

const manifest = {
  name: 'memory-files',
  publisher: 'test',
  version: '0.0.1',
  main: './main.cjs',
  engines: { vscode: '^1.100.0' },
  activationEvents: ['*', 'onFileSystem:memory'],
};

const main = `
  const { writeFileSync } = require('node:fs');
  const { createServer } = require('node:http');
  const { join } = require('node:path');
  const { EventEmitter, FileSystemError, FileType, workspace } = require('vscode');
  const files = new Map();
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
    writeFile: ({ path }, content) => void files.set(path, content),
    delete: ({ path }) => void files.delete(path),
    rename(from, to) {
      files.set(to.path, there(from));
      files.delete(from.path);
    },
  };
  exports.activate = () => {
    workspace.registerFileSystemProvider('memory', provider, { isCaseSensitive: true });
    const server = createServer((_, response) => {
      const shown = [...files].map(([path, content]) => [path.slice('/shared/'.length), Buffer.from(content).toString()]);
      response.end(JSON.stringify(Object.fromEntries(shown)));
    });
    server.listen(0, '127.0.0.1', () => writeFileSync(join(__dirname, 'port'), String(server.address().port)));
  };
`;

export async function memoryFiles(): Promise<MemoryFiles> {
  const extension = temporaryFolder();
  await writeFile(join(extension, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(extension, 'main.cjs'), main);
  const read = async (): Promise<Readonly<Record<string, string>>> => {
    const port = await waitUntil(() => readFile(join(extension, 'port'), 'utf8').catch(() => ''), {
      what: 'the file system in memory does not start',
    });
    return (await (await fetch(`http://127.0.0.1:${port}/`)).json()) as Readonly<Record<string, string>>;
  };
  return {
    extension,
    read,
  };
}
