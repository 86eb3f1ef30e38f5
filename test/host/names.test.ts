import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commands, contextValues, settings, viewContainers, views } from '../../src/host/names.ts';
import { VERSION } from '../../src/wire/version.ts';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'package.json'), 'utf8');
const nls = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;

interface Manifest {
  version: string;
  contributes: {
    commands: { command: string }[];
    configuration: { properties: Record<string, unknown> };
    views: Record<string, { id: string }[]>;
    viewsContainers: Record<string, { id: string }[]>;
    menus: Record<string, { command: string; when?: string }[]>;
    keybindings: { command: string; when: string }[];
  };
}
const manifest = JSON.parse(text) as Manifest;
const { contributes } = manifest;

const same = (left: readonly string[], right: readonly string[]): void =>
  assert.deepEqual(left.toSorted(), right.toSorted());

test('the commands of the code and of package.json are the same', () => {
  same(
    Object.values(commands),
    contributes.commands.map(({ command }) => command),
  );
});

test('the settings of the code and of package.json are the same', () => {
  same(Object.values(settings), Object.keys(contributes.configuration.properties));
});

test('the views and their containers are the same', () => {
  same(
    Object.values(views),
    Object.values(contributes.views).flatMap(list => list.map(({ id }) => id)),
  );
  same(
    Object.values(viewContainers),
    Object.values(contributes.viewsContainers).flatMap(list => list.map(({ id }) => id)),
  );
  same(Object.values(viewContainers), Object.keys(contributes.views));
});

test('menus and keys name commands and context values that there are', () => {
  const known: readonly string[] = Object.values(commands);
  const used = [...Object.values(contributes.menus).flat(), ...contributes.keybindings];
  for (const { command } of used) assert.ok(known.includes(command), command);
  for (const [, values = ''] of text.matchAll(/viewItem (?:==|=~) \/?\^?\(?([\w|]+)/g)) {
    for (const value of values.split('|')) assert.ok(Object.values<string>(contextValues).includes(value), value);
  }
});

test('Ctrl+Enter is taken in SQL editors only', () => {
  for (const { when } of contributes.keybindings) assert.match(when, /editorTextFocus && editorLangId == sql/);
});

test('every sentence of package.json stands in package.nls.json, and none stands there in vain', () => {
  const used = [...text.matchAll(/"%([^%"]+)%"/g)].map(([, key = '']) => key);
  same([...new Set(used)], Object.keys(nls));
  const plain = [...text.matchAll(/"(?:title|category|markdownDescription|contents)": "([^%][^"]*)"/g)];
  assert.deepEqual(plain, []);
});

test('every sentence that the host shows goes through l10n.t', () => {
  const shown = /\.show(?:Information|Warning|Error)Message\(\s*['"`]/;
  for (const file of globSync('src/host/**/*.ts', { cwd: root })) {
    assert.doesNotMatch(readFileSync(join(root, file), 'utf8'), shown, file);
  }
});

test('the version is the same in the code and in package.json', () => assert.equal(VERSION, manifest.version));
