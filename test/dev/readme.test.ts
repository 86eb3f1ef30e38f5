import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { readmeWithTables, readReadme } from '../../.dev/readmeTables.ts';
import { repositoryRoot } from '../support/workbench/workbenchPaths.ts';

test('the tables of README.md are those of package.json (`npm run readme` writes them anew)', () => {
  const readme = readReadme();
  assert.equal(readme, readmeWithTables(readme));
});

test('README.md can be read in three minutes: it has 13,000 bytes at most', () => {
  assert.ok(Buffer.byteLength(readReadme()) <= 13_000, `${Buffer.byteLength(readReadme())} bytes`);
});

test('the changes of each version have 3 KB at most', () => {
  const versions = readFileSync(join(repositoryRoot, 'CHANGELOG.md'), 'utf8')
    .split(/^(?=## )/m)
    .slice(1);
  assert.ok(versions.length > 0, 'the versions are found');
  for (const version of versions) assert.ok(Buffer.byteLength(version) <= 3072, version.split('\n')[0]);
});

test('every link of the documents to a file leads to one', () => {
  const documents = [
    'README.md',
    '.github/CONTRIBUTING.md',
    'src/README.md',
    'src/GLOSSARY.md',
    'src/client/README.md',
  ];
  const pages = globSync('media/docs/*.md', { cwd: repositoryRoot });
  assert.ok(pages.length > 3, 'the pages are found');
  const broken = [...documents, ...pages].flatMap(document => {
    const text = readFileSync(join(repositoryRoot, document), 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) => link);
    return links
      .filter(link => !existsSync(join(repositoryRoot, dirname(document), link)))
      .map(link => `${document}: ${link}`);
  });
  assert.deepEqual(broken, []);
});

/** The anchors of a document: its headings as GitHub writes them. */
function anchorsOf(text: string): string[] {
  const headings = text.matchAll(/^#+ (.+)$/gm);
  return Array.from(headings, ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\d _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every link of the documents to a part of a document leads to one', () => {
  const pages = globSync('{*.md,.github/*.md,src/**/*.md,media/docs/**/*.md}', { cwd: repositoryRoot });
  const broken = pages.flatMap(page => {
    const text = readFileSync(join(repositoryRoot, page), 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)];
    return links
      .filter(([, file = '', anchor = '']) => {
        const target = file === '' ? text : readFileSync(join(repositoryRoot, dirname(page), file), 'utf8');
        return !anchorsOf(target).includes(anchor);
      })
      .map(([link]) => `${page}: ${link}`);
  });
  assert.deepEqual(broken, []);
});

test('CONTRIBUTING.md says of each dependency why it is there', () => {
  const manifest = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
    readonly dependencies: object;
    readonly devDependencies: object;
  };
  const text = readFileSync(join(repositoryRoot, '.github/CONTRIBUTING.md'), 'utf8');
  const rows = [...text.slice(text.indexOf('## Dependencies')).matchAll(/^\| (`.+?) +\| \S/gm)];
  const named = rows.flatMap(([, names = '']) => [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
  const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  assert.deepEqual(named.toSorted(), dependencies.toSorted());
});

test('every file that src/README.md names is there', () => {
  const text = readFileSync(join(repositoryRoot, 'src/README.md'), 'utf8');
  const files = [...text.matchAll(/`([\w./]+\.ts)`/g)].map(([, file = '']) => file);
  assert.ok(files.length > 40, 'the files are found');
  const missing = files.filter(file => ['src', '.'].every(folder => !existsSync(join(repositoryRoot, folder, file))));
  assert.deepEqual(missing, []);
});

test('src/README.md can be read on three screens: it has 150 lines at most', () => {
  const lines = readFileSync(join(repositoryRoot, 'src/README.md'), 'utf8').split('\n');
  assert.ok(lines.length <= 150, `${lines.length} lines`);
});

test('the glossary has 70 words at most, in order, and the names in it are those of the code', () => {
  const rows = readFileSync(join(repositoryRoot, 'src/GLOSSARY.md'), 'utf8')
    .split('\n')
    .filter(line => line.startsWith('| '))
    .slice(2)
    .map(line => line.split('|').slice(1, 3));
  assert.ok(rows.length > 50 && rows.length <= 70, `${rows.length} words`);
  const words = rows.map(([word = '']) =>
    word
      .toLowerCase()
      .replaceAll(/[^a-z ,]/g, '')
      .trim(),
  );
  assert.deepEqual(words, words.toSorted());
  const names = rows.flatMap(([, meaning = '']) => [...meaning.matchAll(/`([A-Z]\w+)`/g)].map(([, name = '']) => name));
  assert.ok(names.length > 10, 'the names are found');
  const code = globSync('{src,webview}/**/*.ts', { cwd: repositoryRoot })
    .map(file => readFileSync(join(repositoryRoot, file), 'utf8'))
    .join('\n');
  assert.deepEqual(
    names.filter(name => !new RegExp(`\\b${name}\\b`).test(code)),
    [],
  );
});
