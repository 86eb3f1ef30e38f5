import { ServingExtension } from './servingExtension.ts';

/** A folder of the scheme `memory:`, for a window to open. */
export const memoryFolder = 'memory:/shared';

/** A file system in memory, provided by an extension. Its files are on no disk. */
export interface MemoryFiles {
  /** The extension's folder, for development mode. */
  readonly extension: string;
  /** The files of the folder: name to content. */
  read(): Promise<Readonly<Record<string, string>>>;
}

const main = `
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
    serve((_, response) => {
      const shown = [...files].map(([path, content]) => [path.slice('/shared/'.length), Buffer.from(content).toString()]);
      response.end(JSON.stringify(Object.fromEntries(shown)));
    });
  };
`;

export function memoryFiles(): MemoryFiles {
  const extension = new ServingExtension('memory-files', main, ['*', 'onFileSystem:memory']);
  return {
    extension: extension.folder,
    read: async () => (await extension.request()) as Readonly<Record<string, string>>,
  };
}
