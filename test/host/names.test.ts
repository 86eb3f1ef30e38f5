import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  commands,
  contextKeys,
  contextValues,
  panels,
  schemes,
  settings,
  themeColors,
  viewContainers,
  views,
} from '../../src/host/names.ts';
import { VERSION } from '../../src/wire/version.ts';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'package.json'), 'utf8');
const nls = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;

interface Manifest {
  version: string;
  activationEvents: string[];
  capabilities: { untrustedWorkspaces: { supported: string; restrictedConfigurations: string[] } };
  contributes: {
    colors: { id: string; defaults: Record<string, string> }[];
    commands: { command: string }[];
    configuration: { properties: Record<string, { scope: string }> };
    views: Record<string, { id: string }[]>;
    viewsContainers: Record<string, { id: string }[]>;
    menus: Record<string, { command: string; when?: string }[]>;
    walkthroughs: { steps: { media: { svg: string } }[] }[];
    keybindings: { command: string; when: string }[];
    viewsWelcome: { view: string; contents: string; when?: string }[];
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

test('the colours of the code and of package.json are the same, and there in every kind of theme', () => {
  same(
    Object.values(themeColors),
    contributes.colors.map(({ id }) => id),
  );
  for (const { defaults } of contributes.colors) {
    same(Object.keys(defaults), ['light', 'dark', 'highContrast', 'highContrastLight']);
  }
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

test('Ctrl+Enter is taken in SQL editors with a project, and no other key', () => {
  const [taken, ...others] = contributes.keybindings;
  const when = `editorTextFocus && editorLangId == sql && resourcePath in ${contextKeys.documentsWithProject}`;
  assert.deepEqual(taken, { command: commands.runStatement, key: 'ctrl+enter', mac: 'cmd+enter', when });
  assert.deepEqual(others, []);
});

test('what depends on ours of a window names context keys that there are', () => {
  const conditions = [...text.matchAll(/"(?:when|enablement)": "([^"]*)"/g)].map(([, when]) => when).join('\n');
  const named = [...conditions.matchAll(/(?<!(?:view|webviewId|activeWebviewPanelId) == '?)\bsqlProjects\.\w+/g)];
  assert.ok(named.length > 0);
  for (const [key] of named) assert.ok(Object.values<string>(contextKeys).includes(key), key);
});

test('nothing stands twice in package.json, where the second would silently take the place of the first', () => {
  assert.equal(text, `${JSON.stringify(manifest, null, 2)}\n`);
});

test('menus and commands name editors that there are', () => {
  const known: readonly string[] = Object.values(panels);
  const named = [...text.matchAll(/\bactiveWebviewPanelId == ([\w.]+)/g)].map(([, panel = '']) => panel);
  assert.ok(named.length > 0);
  for (const panel of named) assert.ok(known.includes(panel), panel);
});

test('every sentence of package.json stands in package.nls.json, and none stands there in vain', () => {
  const used = [...text.matchAll(/"%([^%"]+)%"/g)].map(([, key = '']) => key);
  same([...new Set(used)], Object.keys(nls));
  const plain = [...text.matchAll(/"(?:title|category|markdownDescription|contents)": "([^%][^"]*)"/g)];
  assert.deepEqual(plain, []);
});

test('links and walkthrough steps name commands that there are', () => {
  const known = new Set<string>([...Object.values(commands), ...Object.values(views).map(view => `${view}.focus`)]);
  const named = [...`${text}${JSON.stringify(nls)}`.matchAll(/\b(?:onCommand|command):(sqlProjects\.[\w.]+)/g)];
  assert.ok(named.length > 0);
  for (const [, command = ''] of named) assert.ok(known.has(command), command);
});

test('the pictures of the walkthrough are there, and in the colours of every theme', () => {
  for (const { media } of contributes.walkthroughs.flatMap(({ steps }) => steps)) {
    const picture = readFileSync(join(root, media.svg), 'utf8');
    assert.doesNotMatch(picture, /#[\da-f]{3,8}\b|rgb\(/i, media.svg);
    assert.match(picture, /var\(--vscode-foreground\)/, media.svg);
    // VS Code shows them without their styles, and all in black then.
    assert.doesNotMatch(picture, /<style|\bstyle=|\bclass=/, media.svg);
  }
});

test('menus name views that there are', () => {
  const known: readonly string[] = Object.values(views);
  const named = [...text.matchAll(/\bview == ([\w.]+)/g)].map(([, view = '']) => view);
  assert.ok(named.length > 0);
  for (const view of named) assert.ok(known.includes(view), view);
});

test('welcome views name commands, views and context keys that there are, and there is one without a condition', () => {
  const [known, keys]: readonly (readonly string[])[] = [Object.values(commands), Object.values(contextKeys)];
  for (const { view, contents, when } of contributes.viewsWelcome) {
    assert.ok(Object.values<string>(views).includes(view), view);
    for (const key of when?.match(/[\w.]+/g) ?? []) assert.ok(keys?.includes(key), key);
    for (const [, command = ''] of (nls[contents.replaceAll('%', '')] ?? '').matchAll(/\(command:([\w.]+)\)/g)) {
      assert.ok(known?.includes(command) || command.startsWith('workbench.'), command);
    }
  }
  assert.ok(contributes.viewsWelcome.some(({ when }) => when === undefined));
});

test('an untrusted workspace sets nothing, and no workspace says where the local service is or lowers what protects it', () => {
  const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  assert.equal(supported, 'limited');
  const { localServiceFolder, localServiceProjects, ...settable } = settings;
  assert.deepEqual(restrictedConfigurations.toSorted(), Object.values(settable).toSorted());
  assert.equal(contributes.configuration.properties[localServiceFolder]?.scope, 'machine');
  assert.equal(contributes.configuration.properties[localServiceProjects]?.scope, 'application');
});

test('the extension is activated by SQL documents, definitions, its pages and its own contributions only', () => {
  assert.deepEqual(manifest.activationEvents, [
    'onLanguage:sql',
    `onFileSystem:${schemes.definition}`,
    ...Object.values(panels).map(panel => `onWebviewPanel:${panel}`),
  ]);
});

test('every sentence in the host goes through l10n.t', () => {
  // A literal of several words is a message, unless it is for programs: an error, for which errorMessages.ts has another
  // message, HTML, or the names in a pattern.
  const literal = /(?<!l10n\.t\(\s*)(['"`])(?=[A-Z]\w* [a-z])[^'"`]*\1/g;
  for (const file of globSync('src/host/**/*.ts', { cwd: root })) {
    const source = readFileSync(join(root, file), 'utf8')
      .replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')
      .replaceAll(/(?:\bthrow |new (?:Project)?Error\()[^;]*;/g, '');
    assert.deepEqual(source.match(literal) ?? [], [], file);
  }
});

test('whatever VS Code would make links in goes through notifications.ts', () => {
  for (const file of globSync('src/host/**/*.ts', { cwd: root })) {
    if (file.endsWith('notifications.ts')) continue;
    assert.doesNotMatch(readFileSync(join(root, file), 'utf8'), /\bshow(?:Information|Warning|Error)Message\(/, file);
  }
});

test('the version is the same in the code and in package.json', () => assert.equal(VERSION, manifest.version));
