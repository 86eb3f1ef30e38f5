import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import type { CancellationToken, DataTransfer, DataTransferFile } from 'vscode';
import { ImportFolder } from '../../support/importSource.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const vscode = await import('vscode');
const { fileDrops } = await import('../../../src/host/tree/fileDrops.ts');
const { copyOf } = await import('../../../src/host/importing/imports.ts');

const errors: string[] = [];
Object.assign(vscode.window, { showErrorMessage: (message: string) => void errors.push(message) });
const folder = new ImportFolder();

const profile = { id: 'p', name: 'Shop' } as never;
const node = { kind: 'table', name: 'pets', profile } as const;

interface Drop {
  readonly text?: string | undefined;
  readonly files?: readonly DataTransferFile[];
  readonly isCancelled?: boolean;
}

async function drop({ text, files = [], isCancelled = false }: Drop): Promise<string[]> {
  const imported: string[] = [];
  let isHandled = false;
  const drops = fileDrops({
    importFile: async (target, file) => {
      await Promise.resolve();
      imported.push(`${target === node ? 'pets' : 'none'} ${file.toString()}`);
    },
    copyFile: async file => {
      const copy = await copyOf(file, folder.path);
      if (!copy) return undefined;
      return async target => {
        await Promise.resolve();
        const copied = readFileSync(copy.path, 'utf8');
        imported.push(`${target === node ? 'pets' : 'none'} ${copy.name} ${copy.isCopy} ${copied}`);
      };
    },
  });
  const list = text === undefined ? undefined : { asString: () => Promise.resolve(text), asFile: () => undefined };
  const items = [
    ...(list ? [['text/uri-list', list] as const] : []),
    ...files.map(file => {
      // VS Code forgets the content when the drop is handled.
      const data = () => (isHandled ? Promise.reject(new Error('The drop has ended.')) : file.data());
      return ['text/csv', { asString: () => Promise.resolve(''), asFile: () => ({ ...file, data }) }] as const;
    }),
  ];
  const dropped = {
    get: (type: string) => items.find(([itemType]) => itemType === type)?.[1],
    [Symbol.iterator]: () => items[Symbol.iterator](),
  } as unknown as DataTransfer;
  await drops.handleDrop?.(node, dropped, { isCancellationRequested: isCancelled } as CancellationToken);
  isHandled = true;
  await new Promise(setImmediate);
  return imported;
}

const fileOf = (name: string, content: string): DataTransferFile => ({
  name,
  data: () => Promise.resolve(Buffer.from(content)),
});

test('files that are dropped on a table are imported there, one after another', async () => {
  assert.deepEqual(await drop({ text: '# a comment\r\nfile:///a.csv\r\n\r\nno address\r\nfile:///b%20c.json\r\n' }), [
    'pets file:///a.csv',
    'pets file:///b%20c.json',
  ]);
});

test('a drop without files, and a drop that is cancelled, import nothing', async () => {
  assert.deepEqual(await drop({}), []);
  assert.deepEqual(await drop({ text: '' }), []);
  assert.deepEqual(await drop({ text: 'file:///a.csv', isCancelled: true }), []);
});

test('files that only the browser has are imported from copies, one after another', async () => {
  const long = `${'x'.repeat(250)}.import.json`;
  const files = [fileOf('pets.csv', 'name\nRex\n'), fileOf(long, '[]')];
  assert.deepEqual(await drop({ files }), ['pets pets.csv true name\nRex\n', `pets ${long} true []`]);
  const names = (await readdir(folder.path)).map(name => name.replace(/^[\da-f-]{36}/, ''));
  assert.deepEqual(names.toSorted(), ['.csv', '.json']);
});

test('a file with an address is not copied', async () => {
  const before = await readdir(folder.path);
  assert.deepEqual(await drop({ text: 'file:///a.csv', files: [fileOf('a.csv', 'name\n')] }), ['pets file:///a.csv']);
  assert.deepEqual(await readdir(folder.path), before);
});

test('a file that the browser cannot read is named with a way to import it', async () => {
  const broken = { name: 'folder', data: () => Promise.reject(new Error('It is a folder.')) };
  assert.deepEqual(await drop({ files: [broken, fileOf('b.csv', 'b\n')] }), ['pets b.csv true b\n']);
  assert.match(errors.join(), /'folder' could not be copied from the browser. Drop it in the Explorer.*It is a folder/);
});
