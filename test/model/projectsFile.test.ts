import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entryPartIn, projectEntriesIn } from '../../src/model/projectsFile.ts';

const setting = 'sqlProjects.projects';
const readable: readonly (readonly [name: string, text: string, entries: readonly unknown[]])[] = [
  ['an exported list', '[{"name": "a"}]', [{ name: 'a' }]],
  ['a settings file', `{"editor.tabSize": 2, "${setting}": [1]}`, [1]],
  ['comments and trailing commas', '// first\n[1, /* two */ 2,\n] // last', [1, 2]],
  ['comment marks inside of strings', '["http://x/*y*/", ",]"]', ['http://x/*y*/', ',]']],
  ['escapes', String.raw`["\" // \\", ]`, ['" // \\']],
  ['a byte order mark', '\uFEFF[1, // one\n]', [1]],
];

for (const [name, text, entries] of readable) {
  test(`project entries are read from a file with ${name}`, () => {
    assert.deepEqual(projectEntriesIn(text, setting), entries);
  });
}

test('a file without a list of projects is refused', () => {
  for (const text of ['', '{', '[1 2]', '{"other": []}', '"text"', '[1, /* two']) {
    assert.equal(projectEntriesIn(text, setting), undefined, text);
  }
});

test('the entry of a project is found in a settings file, below comments and in a workspace file', () => {
  const text = `{ // mine
    "other": [1],
    "${setting}": [ { "projectId": "p1" }, { "projectId": "p2" }, ],
  }`;
  const partOf = (content: string, index?: number): string | undefined => {
    const part = entryPartIn(content, setting, index);
    return part && content.slice(part.start, part.end);
  };
  assert.equal(partOf(text, 1), '{ "projectId": "p2" }');
  assert.equal(partOf(text), '[ { "projectId": "p1" }, { "projectId": "p2" }, ]');
  assert.equal(partOf(`{ "settings": ${text} }`, 0), '{ "projectId": "p1" }');
  assert.equal(partOf('{ "other": 1 }'), undefined);
});
