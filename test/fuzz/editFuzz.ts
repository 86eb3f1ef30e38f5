/*
 * Edits random documents as an editor does: SQL, and programs with SQL in them. After each edit the faults and lints are
 * those of a document that was opened with the same text, now and then in a new engine, and no position makes completion throw.
 *
 * `npm run fuzz:edits [seed] [count]` runs it for a long time, by default with a random seed. Then it types into built pages, one for
 * each thousand edits (see pageEditFuzz.ts).
 */
import assert from 'node:assert/strict';
import type { TextDocumentContentChangeEvent } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { ProjectSchema } from '../../src/language/projectSchema.ts';
import { ServedFile } from '../../src/language/servedFile.ts';
import type { TextEdit } from '../../src/sql/text/statementIndex.ts';
import { corpusStatements as statements } from '../support/corpusShadow.ts';
import { oneOf, type Random, seeded, upTo } from './random.ts';
import { randomSchemaDocument } from './schemaTexts.ts';
import { randomPiece, randomScript } from './sqlTexts.ts';

const editsPerDocument = 60;
/** A longer document is cut, because a check after each edit would take too long. */
const maxLength = 3000;

const typed = [...Array.from('selctfromwhrid ,.;()\'"`\n'), '${', '}', '\r\n', '-- ', 'sql`', '# sql\n"', '/* sql */ '];

const newProject = (): ProjectSchema => new ProjectSchema({ id: 'fuzz', name: 'Fuzz' }, { statements, rowCounts: [] });

export async function fuzzEdits(seed: number, count: number): Promise<void> {
  const random = seeded(seed);
  const project = newProject();
  for (let edits = 0; edits < count; edits += editsPerDocument) {
    const document = new FuzzedDocument(random, project);
    const lastEdit = Math.min(editsPerDocument, count - edits) - 1;
    for (let edit = 0; edit <= lastEdit; edit++) {
      try {
        await document.edit();
        // A new engine has neither the caches nor the objects of the other one.
        if (edit === lastEdit) await document.compareWith(newProject());
      } catch (thrown) {
        const where = `seed ${seed}, edit ${edits + edit}: ${JSON.stringify(document.text)}`;
        throw new Error(where, { cause: thrown });
      }
    }
  }
}

class FuzzedDocument {
  readonly #random: Random;
  readonly #project: ProjectSchema;
  readonly #languageId: string;
  readonly #file: ServedFile;
  readonly #undone: TextEdit[] = [];
  #version = 1;
  #cursor = 0;
  text: string;

  constructor(random: Random, project: ProjectSchema) {
    this.#random = random;
    this.#project = project;
    this.#languageId = oneOf(random, ['sql', 'sql', 'typescript', 'python']);
    this.text = randomText(random, this.#languageId);
    this.#file = this.#open();
  }

  /** Edits once, then mostly compares. */
  async edit(): Promise<void> {
    const random = this.#random;
    const changes = Array.from({ length: random() < 0.05 ? 2 : 1 }, () => this.#change());
    this.#file.update(changes, ++this.#version);
    // An editor may request another check before the last one has ended.
    if (random() < 0.2) void findingsOf(this.#file);
    if (random() < 0.2) return;
    await this.compareWith(this.#project);
    const offset = upTo(random, this.text.length + 1);
    const document = this.#file.documentAt(offset);
    document?.completionAt(document.offsetAt(document.positionAt(offset)));
  }

  /** Compares the findings with those of a new document in a project. */
  async compareWith(project: ProjectSchema): Promise<void> {
    assert.deepEqual(await findingsOf(this.#file), await findingsOf(this.#open(project)));
  }

  #open(project = this.#project): ServedFile {
    const file = new ServedFile('file:///fuzz', this.#languageId, this.#version, this.text);
    file.isServed = true;
    file.project = project;
    return file;
  }

  #change(): TextDocumentContentChangeEvent {
    const edit = this.#randomEdit();
    const { text } = edit;
    const file = TextDocument.create('file:///fuzz', this.#languageId, this.#version, this.text);
    const range = { start: file.positionAt(edit.start), end: file.positionAt(edit.end) };
    // No position of the protocol is within a line break.
    const start = file.offsetAt(range.start);
    const end = file.offsetAt(range.end);
    this.#undone.push({ start, end: start + text.length, text: this.text.slice(start, end) });
    this.text = this.text.slice(0, start) + text + this.text.slice(end);
    this.#cursor = start + text.length;
    return this.#random() < 0.02 ? { text: this.text } : { range, text };
  }

  #randomEdit(): TextEdit {
    const random = this.#random;
    const { length } = this.text;
    const offset = random() < 0.7 ? Math.min(this.#cursor, length) : upTo(random, length + 1);
    const undo = this.#undone.pop();
    const kind = length > maxLength ? 0.95 : random();
    if (kind < 0.4) return { start: offset, end: offset, text: oneOf(random, typed) };
    if (kind < 0.55) return { start: Math.max(0, offset - 1), end: offset, text: '' };
    if (kind < 0.7 && undo) return undo;
    if (kind < 0.77) return misspelling(random, this.text);
    if (kind < 0.85) return { start: offset, end: offset, text: randomPiece(random) };
    if (kind < 0.92) return { start: offset, end: offset, text: randomSchemaDocument(random, 1) };
    const end = Math.min(length, offset + upTo(random, kind < 0.97 ? 200 : 20));
    return { start: Math.min(offset, end), end, text: '' };
  }
}

/** Takes a letter out of a word, so that a name becomes unknown where the syntax stays valid. */
function misspelling(random: Random, text: string): TextEdit {
  const words = Array.from(text.matchAll(/[a-z_]{3,}/g), ({ index }) => index);
  const start = words.length === 0 ? 0 : oneOf(random, words);
  return { start: Math.min(start + 1, text.length), end: Math.min(start + 2, text.length), text: '' };
}

function randomText(random: Random, languageId: string): string {
  const scripts = Array.from({ length: 1 + upTo(random, 3) }, () => randomScript(random));
  if (languageId === 'sql') return scripts.join('\n');
  return scripts
    .map(script =>
      languageId === 'python'
        ? `# sql\nq = """${script}"""\n`
        : `const a = sql\`${script.replaceAll(/[`\\]/g, '')} \${b}\`; /* sql */ 'SELECT \\'c\\'';\n`,
    )
    .join('');
}

async function findingsOf(file: ServedFile): Promise<string[]> {
  const findings: string[] = [];
  for (const document of file.documents) {
    for (const fault of (await document.faults()) ?? []) findings.push(described(document.rangeOf(fault), fault));
    for (const lint of document.lints()) findings.push(described(document.rangeOf(lint), lint));
  }
  return findings;
}

const described = (range: object, { code, message }: { readonly code: string; readonly message: string }): string =>
  `${JSON.stringify(range)} ${code} ${message}`;

if (import.meta.main) {
  const seed = Number(process.argv[2] ?? Date.now() % 2 ** 31);
  const count = Number(process.argv[3] ?? 100_000);
  console.log(`seed ${seed}, ${count} edits`);
  await fuzzEdits(seed, count);
  const { pageEditTest } = await import('./pageEditFuzz.ts');
  for (let page = 0; page < count / 1000; page++) pageEditTest(seed + page);
}
