import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QuickPickItem } from 'vscode';
import { startTestService } from '../../support/testService.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

/** The list in which the row of a foreign key is searched, with the rows of a real service. */

stubVscode();
const vscode = await import('vscode');
const { pickReference } = await import('../../../src/host/editing/pickReference.ts');
const service = await startTestService();
const project = service.client.project(service.projectId);
const columnCount = 40;

/** VS Code's list, in which a user types. `found` gives the rows of the next search. */
class TypedList {
  busy = false;
  value = '';
  #foundItems = Promise.withResolvers<readonly QuickPickItem[]>();
  #type: () => void = () => undefined;
  #hide: () => void = () => undefined;

  async found(): Promise<string[]> {
    const items = await this.#foundItems.promise;
    this.#foundItems = Promise.withResolvers();
    return items.map(({ label, description }) => `${label} | ${description}`);
  }

  set items(items: readonly QuickPickItem[]) {
    this.#foundItems.resolve(items);
  }

  type(text: string): Promise<string[]> {
    this.value = text;
    this.#type();
    return this.found();
  }

  onDidChangeValue(listener: () => void): void {
    this.#type = listener;
  }

  onDidAccept(): void {}

  onDidHide(listener: () => void): void {
    this.#hide = listener;
  }

  show(): void {}

  hide(): void {
    this.#hide();
  }

  dispose(): void {}
}

async function withList(table: string, use: (list: TypedList) => Promise<void>): Promise<void> {
  const list = new TypedList();
  Object.assign(vscode.window, { createQuickPick: () => list });
  const picked = pickReference(project, table, []);
  try {
    await list.found();
    await use(list);
  } finally {
    list.hide();
    assert.equal(await picked, undefined);
  }
}

test('a row is found by the text of any column that is not a BLOB, and described by three', async () => {
  await project.sql(`CREATE TABLE owners(
    id INTEGER PRIMARY KEY, photo BLOB, name TEXT, street TEXT, town TEXT, mail TEXT, born INT, paid REAL, note,
    tag TEXT AS ('#' || id))`);
  await project.sql(`INSERT INTO owners(id, photo, name, street, town, mail, born, paid, note) VALUES
    (1, CAST('in the photo' AS BLOB), 'Ann', 'Long Lane', 'Bonn', 'ann@example.com', 1961, 10.25, 'pays late'),
    (2, NULL, 'Bea', 'Short Street', 'Jena', 'bea@example.com', 1972, 20.75, NULL)`);
  const ann = '1 | Ann · Long Lane · Bonn';
  await withList('owners', async list => {
    for (const text of ['ANN', 'long lane', 'bonn', 'ann@EXAMPLE', '1961', '10.2', 'late', '#1']) {
      assert.deepEqual(await list.type(text), [ann], text);
    }
    assert.deepEqual(await list.type('in the photo'), []);
    assert.equal((await list.type('example.com')).length, 2);
  });
});

test('thirty columns of a wide table are searched', async () => {
  const names = Array.from({ length: columnCount }, (_, index) => `c${index + 1}`);
  const values = names.map(name => `'<${name}>'`);
  await project.sql(`CREATE TABLE wide(id INTEGER PRIMARY KEY, ${names.join(' TEXT, ')} TEXT)`);
  await project.sql(`INSERT INTO wide VALUES (1, ${values.join(', ')})`);
  await withList('wide', async list => {
    assert.equal((await list.type('<c29>')).length, 1);
    assert.equal((await list.type('<c30>')).length, 0);
  });
});
