// `npm run readme`: writes the tables of commands and settings in README.md anew, from package.json and package.nls.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './command.ts';

interface MenuEntry {
  readonly command: string;
  readonly when?: string;
}

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly keybindings: readonly { readonly command: string; readonly key: string; readonly mac?: string }[];
    readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
    readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
  };
}

interface Setting {
  readonly default?: unknown;
  readonly description?: string;
  readonly markdownDescription?: string;
}

const file = join(root, 'README.md');

/** README.md with both tables as package.json has them now. */
export function readmeWithTables(readme: string): string {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const texts = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;
  const textOf = (key: string): string => texts[key.replaceAll('%', '')] ?? key;
  return withPart(
    withPart(readme, 'commands', commandTable(manifest, textOf)),
    'settings',
    settingTable(manifest, textOf),
  );
}

export const readReadme = (): string => readFileSync(file, 'utf8');

function commandTable({ contributes }: Manifest, textOf: (key: string) => string): string[] {
  const { commands, keybindings, menus } = contributes;
  // The tree and notifications run these. No person sees their names.
  const hidden = new Set(menus['commandPalette']?.filter(({ when }) => when === 'false').map(({ command }) => command));
  const shown = commands.filter(({ command }) => !hidden.has(command) || placesOf(command, menus).size > 0);
  const rows = shown.map(({ command, title }) => {
    const binding = keybindings.find(one => one.command === command);
    const onMac = binding?.mac === undefined ? '' : `, on a Mac ${keyNames(binding.mac)}`;
    const keys = binding ? ` (${keyNames(binding.key)}${onMac})` : '';
    return `| ${textOf(title)}${keys} | ${[...placesOf(command, menus)].join(', ')} |`;
  });
  return ['| Command | Where, beside the Command Palette |', '| --- | --- |', ...rows];
}

/** The menus that have the command, in words. */
function placesOf(command: string, menus: Manifest['contributes']['menus']): Set<string> {
  const places = new Set<string>();
  for (const [menu, entries] of Object.entries(menus)) {
    for (const { when = '' } of entries.filter(entry => entry.command === command)) {
      const place = placeOf(menu, when);
      if (place !== undefined) places.add(place);
    }
  }
  return places;
}

function placeOf(menu: string, when: string): string | undefined {
  if (menu === 'commandPalette') return undefined;
  if (when.includes('sqlProjects.queryPlan')) return 'query plan';
  if (when.includes('view == sqlProjects.queries')) return 'Queries view';
  if (when.includes('sqlProjects.table')) return 'table editor';
  if (menu.startsWith('editor')) return 'SQL editor';
  if (menu === 'view/title') return 'SQL Projects view';
  if (menu === 'webview/context') return 'tab of a result';
  if (/\bfolder\b/.test(when)) return 'tree';
  return /project/i.test(when.split('viewItem')[1] ?? '') ? 'project in the tree' : 'object in the tree';
}

const keyNames = (key: string): string =>
  key
    .split('+')
    .map(name => `${name[0]?.toUpperCase()}${name.slice(1)}`)
    .join('+');

const maxDefaultLength = 60;

function settingTable({ contributes }: Manifest, textOf: (key: string) => string): string[] {
  const rows = Object.entries(contributes.configuration.properties).map(([name, setting]) => {
    const description = textOf(setting.markdownDescription ?? setting.description ?? '');
    // Links to commands work in the settings editor only.
    const plain = description.replaceAll(/\[([^\]]+)\]\(command:[^)]+\)/g, '$1');
    const value = setting.default === undefined ? '' : JSON.stringify(setting.default);
    // The settings editor shows a long value better than a table does.
    const initial = value === '' || value.length > maxDefaultLength ? '' : `\`${value}\``;
    return `| \`${name.replace('sqlProjects.', '')}\` | ${initial} | ${plain} |`;
  });
  return ['| Setting `sqlProjects.…` | Default | |', '| --- | --- | --- |', ...rows];
}

/** Prettier would widen each row to the longest one. */
function withPart(readme: string, name: string, lines: readonly string[]): string {
  const begin = `<!-- ${name} -->\n`;
  const end = `<!-- end of ${name} -->`;
  const [head, rest] = readme.split(begin);
  const tail = rest?.split(end)[1];
  if (head === undefined || tail === undefined) throw new Error(`README.md has no part "${name}".`);
  return `${head}${begin}<!-- prettier-ignore -->\n${lines.join('\n')}\n\n${end}${tail}`;
}

if (import.meta.main) writeFileSync(file, readmeWithTables(readReadme()));
