import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { asCount, object, parseJson } from '../../../base/decode.ts';
import { maxSheetTextLength, sheetText } from './sheetText.ts';

interface ExcelFileOptions {
  readonly sheetName: string;
  /** A sheet after those with the rows, with a line in each row. `cutTexts` is the number of texts that were cut. */
  readonly lastSheet: (cutTexts: number) => { readonly name: string; readonly lines: readonly string[] } | undefined;
}

/** The fastest one makes files that are a tenth larger. */
const compression = { compressionLevel: 1 };

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const office = 'http://schemas.openxmlformats.org';
const sheetsNamespace = `${office}/spreadsheetml/2006/main`;
const relationships = `${office}/officeDocument/2006/relationships`;

/** The bytes of an Excel file. `pieces` are those of the text format `xlsx`. */
export async function* excelFile(
  pieces: AsyncIterable<Uint8Array>,
  { sheetName, lastSheet }: ExcelFileOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (thrown: Error) => output.destroy(thrown));
  const parts = new Parts(pieces);
  const names: string[] = [];
  const add = async (): Promise<void> => {
    while ((await parts.firstByte()) === beginOfSheet) {
      const sheet = Readable.from(parts.next());
      names.push(names.length === 0 ? sheetNameOf(sheetName) : sheetNameOf(sheetName, ` (${names.length + 1})`));
      zip.addReadStream(sheet, sheetFile(names.length), compression);
      await finished(sheet);
    }
    const { cutTexts = 0 } = decodeEnd(parseJson(Buffer.concat(await Array.fromAsync(parts.next())).toString())) ?? {};
    const last = lastSheet(cutTexts);
    if (last) {
      // Excel takes names of other cases for the same.
      const isTaken = names.some(name => name.toLowerCase() === last.name.toLowerCase());
      names.push(sheetNameOf(last.name, isTaken ? ' (2)' : ''));
      addText(sheetFile(names.length), sheetOfLines(last.lines));
    }
    for (const [path, text] of workbookFiles(names)) addText(path, text);
    zip.end();
  };
  const addText = (path: string, text: string): void => zip.addBuffer(Buffer.from(`${xml}${text}`), path, compression);
  const adding = add().catch((thrown: Error) => void output.destroy(thrown));
  try {
    yield* output as AsyncIterable<Uint8Array>;
    await adding;
  } finally {
    output.destroy();
    await parts.close();
  }
}

/** A sheet begins with `<`, and the end of the text with `{`. */
const beginOfSheet = 0x3c;
const decodeEnd = object({ cutTexts: asCount });

/** The parts of pieces of bytes, each of which a byte 0 ends. */
class Parts {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  async firstByte(): Promise<number | undefined> {
    while (this.#rest.length === 0 && (await this.#read()));
    return this.#rest[0];
  }

  async *next(): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const end = this.#rest.indexOf(0);
      const part = end === -1 ? this.#rest : this.#rest.subarray(0, end);
      this.#rest = end === -1 ? new Uint8Array(0) : this.#rest.subarray(end + 1);
      if (part.length > 0) yield part;
      if (end !== -1 || !(await this.#read())) return;
    }
  }

  async close(): Promise<void> {
    await this.#pieces.return?.();
  }

  async #read(): Promise<boolean> {
    const next = await this.#pieces.next();
    if (next.done !== true) this.#rest = next.value;
    return next.done !== true;
  }
}

const sheetFile = (number: number): string => `xl/worksheets/sheet${number}.xml`;

/** Excel allows 31 characters, and not all of them. */
function sheetNameOf(name: string, ending = ''): string {
  const allowed = name.replaceAll(/[\p{Cc}[\]:*?/\\]/gu, ' ').replaceAll(/^[' ]+|[' ]+$/g, '');
  const cut = allowed.slice(0, 31 - ending.length).replace(/[\ud800-\udbff' ]+$/, '');
  return `${/^(?:history)?$/i.test(cut) ? 'Rows' : cut}${ending}`;
}

function sheetOfLines(lines: readonly string[]): string {
  const rows = lines.map((line, nth) => {
    const text = sheetText(line.slice(0, maxSheetTextLength));
    return `<row r="${nth + 1}"><c r="A${nth + 1}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c></row>`;
  });
  return `<worksheet xmlns="${sheetsNamespace}"><cols><col min="1" max="1" width="100" customWidth="1"/></cols><sheetData>${rows.join('')}</sheetData></worksheet>`;
}

/** The files of a workbook beside its sheets. Style 1 is that of dates, 2 that of dates with a time, and 3 that of headers. */
function workbookFiles(names: readonly string[]): readonly (readonly [path: string, text: string])[] {
  const numbers = names.map((_, nth) => nth + 1);
  const main = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const type = (path: string, name: string): string =>
    `<Override PartName="/${path}" ContentType="${main}.${name}+xml"/>`;
  const relation = (id: string, kind: string, target: string): string =>
    `<Relationship Id="${id}" Type="${relationships}/${kind}" Target="${target}"/>`;
  const relationsOf = (...all: readonly string[]): string =>
    `<Relationships xmlns="${office}/package/2006/relationships">${all.join('')}</Relationships>`;
  const sheets = names.map(
    (name, nth) => `<sheet name="${sheetText(name)}" sheetId="${nth + 1}" r:id="sheet${nth + 1}"/>`,
  );
  return [
    [
      '[Content_Types].xml',
      `<Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${type('xl/workbook.xml', 'sheet.main')}${type('xl/styles.xml', 'styles')}${numbers.map(number => type(sheetFile(number), 'worksheet')).join('')}</Types>`,
    ],
    ['_rels/.rels', relationsOf(relation('workbook', 'officeDocument', 'xl/workbook.xml'))],
    [
      'xl/_rels/workbook.xml.rels',
      relationsOf(
        relation('styles', 'styles', 'styles.xml'),
        ...numbers.map(number => relation(`sheet${number}`, 'worksheet', `worksheets/sheet${number}.xml`)),
      ),
    ],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${sheetsNamespace}" xmlns:r="${relationships}"><sheets>${sheets.join('')}</sheets></workbook>`,
    ],
    [
      'xl/styles.xml',
      `<styleSheet xmlns="${sheetsNamespace}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs></styleSheet>`,
    ],
  ];
}
