import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  agentToolNames,
  commandId,
  type CommandName,
  contextKeys,
  contextValues,
  customEditors,
  mcpProviders,
  panels,
  schemes,
  settings,
  themeColors,
  views,
} from '../../src/host/names.ts';
import { embeddingLanguages } from '../../src/sql/embedded/embeddingLanguages.ts';
import { VERSION } from '../../src/wire/version.ts';
import { stubVscode } from '../support/vscodeStub.ts';

stubVscode();
const { commandHandlers } = await import('../../src/host/commandHandlers.ts');
const commandIds = (Object.keys(commandHandlers({} as never)) as CommandName[]).map(commandId);

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
    configuration: { properties: Record<string, { scope: string; order: number }> };
    languageModelTools: { name: string }[];
    mcpServerDefinitionProviders: { id: string }[];
    chatSkills: { path: string }[];
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

test('package.json has the commands of the code', () => {
  same(
    commandIds,
    contributes.commands.map(({ command }) => command),
  );
});

test('package.json has the settings of the code', () => {
  same(Object.values(settings), Object.keys(contributes.configuration.properties));
});

test('package.json has the colors of the code, for every kind of theme', () => {
  same(
    Object.values(themeColors),
    contributes.colors.map(({ id }) => id),
  );
  for (const { defaults } of contributes.colors) {
    same(Object.keys(defaults), ['light', 'dark', 'highContrast', 'highContrastLight']);
  }
});

test('package.json has the views of the code, each in a container of its own list', () => {
  same(
    Object.values(views),
    Object.values(contributes.views).flatMap(list => list.map(({ id }) => id)),
  );
  const containers = Object.values(contributes.viewsContainers).flatMap(list => list.map(({ id }) => id));
  same(containers, Object.keys(contributes.views));
});

test('menus and keybindings name existing commands and context values', () => {
  const used = [...Object.values(contributes.menus).flat(), ...contributes.keybindings];
  for (const { command } of used) assert.ok(commandIds.includes(command), command);
  for (const [, values = ''] of text.matchAll(/viewItem (?:==|=~) \/?\^?\(?([\w|]+)/g)) {
    for (const value of values.split('|')) assert.ok(Object.values<string>(contextValues).includes(value), value);
  }
});

test('the only keybindings are those of tables, of SQL editors, and Enter in the tree', () => {
  const inEditor = `editorTextFocus && editorLangId == sql && resourcePath in ${contextKeys.documentsWithProject}`;
  const withOrWithoutProject = inEditor.replace(/resourcePath.*/, `(${contextKeys.hasProjects} || $&)`);
  // VS Code's find widget has keys of its own for these two.
  const withoutFind = `${inEditor} && !findWidgetVisible`;
  const whileRunning = `editorTextFocus && resourcePath in ${contextKeys.documentsRunning}`;
  assert.deepEqual(contributes.keybindings, [
    // Auto save must not write to the database. The command shows that the user wants it.
    {
      command: commandId('saveTable'),
      key: 'ctrl+s',
      mac: 'cmd+s',
      when: `activeCustomEditorId == '${customEditors.table}'`,
    },
    { command: commandId('runStatement'), key: 'ctrl+enter', mac: 'cmd+enter', when: withOrWithoutProject },
    { command: commandId('runAll'), key: 'ctrl+alt+enter', mac: 'cmd+alt+enter', when: withoutFind },
    { command: commandId('explain'), key: 'shift+alt+enter', when: inEditor },
    { command: commandId('rerun'), key: 'alt+enter', when: withoutFind },
    { command: commandId('cancelRun'), key: 'shift+alt+backspace', when: whileRunning },
    {
      command: commandId('openSelected'),
      key: 'enter',
      when: `focusedView == ${views.projects} && listFocus && !inputFocus`,
    },
  ]);
});

test('each setting has its own place in the list', () => {
  const orders = Object.values(contributes.configuration.properties).map(({ order }) => order);
  assert.equal(new Set(orders).size, orders.length);
});

test('conditions name existing context keys', () => {
  const conditions = [...text.matchAll(/"(?:when|enablement)": "([^"]*)"/g)].map(([, when]) => when).join('\n');
  const named = [
    ...conditions.matchAll(
      /(?<!config\.|(?:view|focusedView|webviewId|activeCustomEditorId) == '?)\bsqlProjects\.\w+/g,
    ),
  ];
  assert.ok(named.length > 0);
  for (const [key] of named) assert.ok(Object.values<string>(contextKeys).includes(key), key);
  for (const [, setting = ''] of conditions.matchAll(/\bconfig\.(sqlProjects[\w.]+)/g)) {
    assert.ok(Object.values<string>(settings).includes(setting), setting);
  }
});

test('package.json has the tools, the provider of servers and the skill for AI agents', () => {
  same(
    agentToolNames,
    contributes.languageModelTools.map(({ name }) => name),
  );
  same(
    Object.values(mcpProviders),
    contributes.mcpServerDefinitionProviders.map(({ id }) => id),
  );
  for (const { path } of contributes.chatSkills) {
    assert.match(readFileSync(join(root, path), 'utf8'), /^---\nname: [\w-]+\ndescription: .+\n---\n/, path);
  }
});

test('package.json has no duplicate keys, of which the second would silently win', () => {
  assert.equal(text, `${JSON.stringify(manifest, null, 2)}\n`);
});

test('package.nls.json has exactly the texts that package.json uses', () => {
  const used = [...text.matchAll(/"%([^%"]+)%"/g)].map(([, key = '']) => key);
  same([...new Set(used)], Object.keys(nls));
  const plain = [...text.matchAll(/"(?:title|category|markdownDescription|contents)": "([^%][^"]*)"/g)];
  assert.deepEqual(plain, []);
});

const linkTargets = [...commandIds, ...Object.values(views).map(view => `${view}.focus`)];
for (const [what, names, pattern] of [
  ['links and walkthrough steps name existing commands', linkTargets, /\b(?:onCommand|command):(sqlProjects\.[\w.]+)/g],
  ['menus and commands name existing editors', Object.values(customEditors), /\bactiveCustomEditorId == '([\w.]+)'/g],
  ['menus name existing views', Object.values(views), /\bview == ([\w.]+)/g],
] as const satisfies (readonly [string, readonly string[], RegExp])[]) {
  test(what, () => {
    const named = [...`${text}${JSON.stringify(nls)}`.matchAll(pattern)].map(([, name = '']) => name);
    assert.ok(named.length > 0);
    for (const name of named) assert.ok((names as readonly string[]).includes(name), name);
  });
}

test('the images of the walkthrough exist and follow the colors of the theme', () => {
  for (const { media } of contributes.walkthroughs.flatMap(({ steps }) => steps)) {
    const picture = readFileSync(join(root, media.svg), 'utf8');
    assert.doesNotMatch(picture, /#[\da-f]{3,8}\b|rgb\(/i, media.svg);
    assert.match(picture, /var\(--vscode-foreground\)/, media.svg);
    // VS Code removes the styles of an SVG image, and shows it in black.
    assert.doesNotMatch(picture, /<style|\bstyle=|\bclass=/, media.svg);
  }
});

test('welcome views name existing commands, views and context keys, and one has no condition', () => {
  const [known, keys]: readonly (readonly string[])[] = [commandIds, Object.values(contextKeys)];
  for (const { view, contents, when } of contributes.viewsWelcome) {
    assert.ok(Object.values<string>(views).includes(view), view);
    for (const key of when?.match(/[\w.]+/g) ?? []) assert.ok(keys?.includes(key), key);
    for (const [, command = ''] of (nls[contents.replaceAll('%', '')] ?? '').matchAll(/\(command:([\w.]+)\)/g)) {
      assert.ok(known?.includes(command) || command.startsWith('workbench.'), command);
    }
  }
  assert.ok(contributes.viewsWelcome.some(({ when }) => when === undefined));
});

test('an untrusted workspace only hides projects from agents, and no workspace sets the local service, its protection or what agents may write to', () => {
  const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  assert.equal(supported, 'limited');
  const { localServiceFolder, localServiceProjects, agentsWritable, agentsHidden, ...others } = settings;
  const { queriesFolder, historyMaxEntries, historyMaxRowsMb, ...settable } = others;
  assert.deepEqual(restrictedConfigurations.toSorted(), Object.values(settable).toSorted());
  for (const folder of [localServiceFolder, queriesFolder])
    assert.equal(contributes.configuration.properties[folder]?.scope, 'machine');
  for (const setting of [localServiceProjects, agentsWritable, historyMaxEntries, historyMaxRowsMb]) {
    assert.equal(contributes.configuration.properties[setting]?.scope, 'application');
  }
  assert.equal(contributes.configuration.properties[agentsHidden]?.scope, 'window');
});

test('only SQL documents, programs that may hold SQL, definitions, its pages and its contributions activate the extension', () => {
  assert.deepEqual(manifest.activationEvents, [
    ...['sql', ...embeddingLanguages].map(language => `onLanguage:${language}`),
    `onFileSystem:${schemes.definition}`,
    ...Object.values(panels).map(panel => `onWebviewPanel:${panel}`),
  ]);
});

test('every message in the host and its pages goes through l10n.t or t', () => {
  // A literal of several words is a message, unless it is for programs: an error, for which errorMessages.ts has another
  // message, HTML, or the names in a pattern.
  const literal = /(?<!\bt\(\s*)(['"`])(?=[A-Z]\w* [a-z])[^'"`]*\1/g;
  for (const file of globSync(['src/host/**/*.ts', 'webview/**/*.ts'], { cwd: root })) {
    const source = readFileSync(join(root, file), 'utf8')
      .replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')
      .replaceAll(/(?:\bthrow |new (?:Project)?Error\()[^;]*;/g, '');
    assert.deepEqual(source.match(literal) ?? [], [], file);
  }
});

test('only notifications.ts and questions.ts show messages, so no text becomes a link', () => {
  for (const file of globSync('src/host/**/*.ts', { cwd: root })) {
    if (/(notifications|questions)\.ts$/.test(file)) continue;
    assert.doesNotMatch(readFileSync(join(root, file), 'utf8'), /\bshow(?:Information|Warning|Error)Message\(/, file);
  }
});

test('package.json has the version of the code', () => assert.equal(VERSION, manifest.version));
