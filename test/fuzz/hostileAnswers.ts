/** Random answers that harm a careless reader, each with the rows and the error that a reader must find. */
import { answerLimits } from '../../src/wire/answerLimits.ts';
import { oneOf, type Random, upTo } from './random.ts';

export interface HostileAnswer {
  readonly bytes: Buffer;
  readonly rows: readonly string[];
  /** The code of the error after them. Undefined for a clean end. */
  readonly code: string | undefined;
  /** Whether the bytes show the error, whatever follows. Otherwise only the end of the answer shows it. */
  readonly isFaultInside: boolean;
  /** Whether a row is not valid JSON. Raw batches are not checked for that. */
  readonly hasBrokenRow?: boolean;
  readonly maxRowBytes?: number;
}

const { maxDepth, maxValues, maxBlanks } = answerLimits;
const texts = ['', 'a', '},{"', '"]}', '\\', 'é日🎉', '\u0000', '[[[[', '{"rows":[', '0123456789012345'];

const plainRow = (random: Random): string =>
  JSON.stringify({ id: upTo(random, 1000), a: oneOf(random, texts), b: oneOf(random, [null, true, [{}], { c: 1.5 }]) });
export const plainRows = (random: Random, most = 5): string[] =>
  Array.from({ length: upTo(random, most + 1) }, () => plainRow(random));
export const answerOf = (rows: readonly string[], rest = '"ok":true'): string => `{"rows":[${rows.join(',')}],${rest}}`;

/** An answer with this row among others. With a code, reading ends at the row. */
function withRow(random: Random, row: string, code: string | undefined): HostileAnswer {
  const before = plainRows(random);
  const all = [...before, row, ...plainRows(random)];
  return {
    bytes: Buffer.from(answerOf(all)),
    rows: code === undefined ? all : before,
    code,
    isFaultInside: code !== undefined,
  };
}

/** An answer with this member before or after its rows. With a code, reading ends at the member. */
function withMember(random: Random, member: string | Buffer, code: string | undefined): HostileAnswer {
  const rows = plainRows(random);
  const isFirst = random() < 0.5;
  const list = Buffer.from(`"rows":[${rows.join(',')}]`);
  const parts = isFirst ? ['{', member, ',', list, ',"ok":true}'] : ['{', list, ',', member, ',"ok":true}'];
  return {
    bytes: Buffer.concat(parts.map(part => Buffer.from(part as string))),
    rows: isFirst && code !== undefined ? [] : rows,
    code,
    isFaultInside: code !== undefined,
  };
}

function nested(random: Random, depth: number): string {
  const openers = Array.from({ length: depth }, () => oneOf(random, ['[', '{"k":']));
  const closers = openers.toReversed().map(opener => (opener === '[' ? ']' : '}'));
  return `${openers.join('')}1${closers.join('')}`;
}

const someDepth = (random: Random): number => oneOf(random, [maxDepth - 2, maxDepth - 1, maxDepth, maxDepth + 1, 3000]);
/** The row or the answer around the nesting adds one level. */
const depthFault = (depth: number): string | undefined => (depth + 1 > maxDepth ? 'answer_too_deep' : undefined);

function deepRow(random: Random): HostileAnswer {
  const depth = someDepth(random);
  return withRow(random, `{"a":${nested(random, depth)}}`, depthFault(depth));
}

function deepMember(random: Random): HostileAnswer {
  const depth = someDepth(random);
  return withMember(random, `"z":${nested(random, depth)}`, depthFault(depth));
}

/** Each comma and each opening bracket adds a value. The texts of these rows contain neither. */
const valuesIn = (row: string): number => row.slice(1).match(/[,[{]/g)?.length ?? 0;

const repeated = (text: string, times: number): string => `${`${text},`.repeat(times - 1)}${text}`;

function wideRow(random: Random): HostileAnswer {
  const count = oneOf(random, [maxValues - 1, maxValues, maxValues + 1, maxValues + 2, 2 * maxValues]);
  const row = oneOf(random, [
    `{"a":[${repeated('0', count)}]}`,
    `{${repeated('"":0', count)}}`,
    `{"a":[${repeated('[]', Math.floor(count / 2))}]}`,
    `{"a":[${repeated('{"":null}', Math.floor(count / 2))}]}`,
  ]);
  return withRow(random, row, valuesIn(row) > maxValues ? 'answer_too_large' : undefined);
}

function manyColumns(random: Random): HostileAnswer {
  const count = oneOf(random, [10, maxValues]);
  const columns = Array.from({ length: count }, () => '{"name":"a","type":""}').join(',');
  return withMember(random, `"columns":[${columns}]`, count === maxValues ? 'answer_too_large' : undefined);
}

function blanks(random: Random): HostileAnswer {
  const count = oneOf(random, [1, maxBlanks, maxBlanks + 1, 2 * maxBlanks]);
  const rows = plainRows(random);
  const tokens = [
    '{',
    '"rows"',
    ':',
    '[',
    ...rows.flatMap(row => [row, ',']),
    '{"a":',
    '1',
    '}',
    ']',
    ',',
    '"ok":true',
    '}',
  ];
  const at = upTo(random, tokens.length + 1);
  const run = oneOf(random, [' ', '\n', '\t', '\r']).repeat(count);
  const all = [...rows, '{"a":1}'];
  const isTooLong = count > maxBlanks;
  const lastRowEnd = tokens.indexOf(']');
  const before = at >= lastRowEnd ? all : rows.filter((_, nth) => tokens.indexOf('[') + 1 + 2 * nth < at);
  return {
    bytes: Buffer.from([...tokens.slice(0, at), run, ...tokens.slice(at)].join('')),
    rows: isTooLong ? before : all,
    code: isTooLong ? 'too_many_blanks' : undefined,
    isFaultInside: isTooLong,
  };
}

function duplicateRows(random: Random): HostileAnswer {
  const rows = plainRows(random);
  const key = oneOf(random, ['"rows"', String.raw`"\u0072ows"`, String.raw`"row\u0073"`]);
  const other = oneOf(random, ['null', '[]', '1', '[{"a":2}]']);
  const isListFirst = random() < 0.5 || other.startsWith('[');
  const list = `[${rows.join(',')}]`;
  const [one, two] = isListFirst ? [list, other] : [other, list];
  return {
    bytes: Buffer.from(`{"rows":${one},${key}:${two},"ok":true}`),
    rows: isListFirst ? rows : [],
    code: 'duplicate_rows',
    isFaultInside: true,
  };
}

const refusals: readonly (readonly [members: string, code: string | undefined])[] = [
  ['"ok":false', 'http_200'],
  ['"ok":0', 'http_200'],
  ['"ok":"true"', 'http_200'],
  ['"ok":null', 'http_200'],
  ['"ok":[]', 'http_200'],
  ['"ok":true,"ok":false', 'http_200'],
  ['"ok":false,"ok":true', undefined],
  ['"ok":true,"error":null', undefined],
  ['"ok":true,"error":"No."', 'http_200'],
  ['"error":"No.","code":"gone"', 'gone'],
  ['"ok":true,"error":""', undefined],
  ['"error":{"code":"nested"}', 'nested'],
  [String.raw`"\u006fk":false,"code":"escaped"`, 'escaped'],
];

function refusal(random: Random): HostileAnswer {
  const rows = plainRows(random);
  const [members, code] = oneOf(random, refusals);
  const list = `"rows":[${rows.join(',')}]`;
  const text = random() < 0.5 ? `{${members},${list}}` : `{${list},${members}}`;
  return { bytes: Buffer.from(text), rows, code, isFaultInside: false };
}

const otherAnswers: readonly (readonly [text: string, code: string | undefined])[] = [
  ['{}', 'not_an_sql_answer'],
  ['{"a":{"rows":[{"b":1}]}}', 'not_an_sql_answer'],
  ['{"rows":{"a":1}}', 'not_an_sql_answer'],
  ['{"columns":[]}', 'not_an_sql_answer'],
  ['{"rows":null}', undefined],
  ['{"ok":true,"rows":{"a":1}}', 'unexpected_answer'],
  ['{"row_count":3,"rows":"a"}', 'unexpected_answer'],
  ['{"row_count":3}', undefined],
  ['{"ok":true}', undefined],
  ['[{"rows":[]}]', 'not_an_object'],
  ['"rows"', 'not_an_object'],
  ['', 'incomplete_answer'],
  ['<h1>It works!</h1>', 'invalid_json'],
];

function otherAnswer(random: Random): HostileAnswer {
  const [text, code] = oneOf(random, otherAnswers);
  return { bytes: Buffer.from(text), rows: [], code, isFaultInside: false };
}

function cut(random: Random): HostileAnswer {
  const rows = plainRows(random, 8);
  const bytes = Buffer.from(answerOf(rows));
  const length = upTo(random, bytes.length);
  let end = '{"rows":['.length - 1;
  const whole = rows.filter(row => {
    end += 1 + Buffer.byteLength(row);
    return end <= length;
  });
  return { bytes: bytes.subarray(0, length), rows: whole, code: 'incomplete_answer', isFaultInside: false };
}

/** An overlong form, a surrogate, a code beyond Unicode, sequences that are cut off, and bytes that never occur. */
const brokenUtf8 = ['c0af', 'eda080', 'f4908080', 'e282', 'f09f8e', '80', 'ff', 'fe'];

function badUtf8(random: Random): HostileAnswer {
  const broken = Buffer.from(oneOf(random, brokenUtf8), 'hex');
  const isName = random() < 0.5;
  if (random() < 0.4) {
    return withMember(random, Buffer.concat([Buffer.from('"z":"'), broken, Buffer.from('"')]), 'invalid_json');
  }
  const hole = '@@';
  const answer = withRow(random, isName ? `{"${hole}":1}` : `{"a":"${hole}"}`, 'invalid_utf8');
  const at = answer.bytes.indexOf(hole);
  const rest = answer.bytes.subarray(at + hole.length);
  return { ...answer, bytes: Buffer.concat([answer.bytes.subarray(0, at), broken, rest]) };
}

function hugeNumber(random: Random): HostileAnswer {
  const digits = String(1 + upTo(random, 9)).repeat(1 + upTo(random, 3000));
  const number = oneOf(random, [digits, `-${digits}`, `0.${digits}`, `${digits}.5`, `1e${digits}`, `-1E-${digits}`]);
  return withRow(random, `{"n":${number}}`, undefined);
}

function hugeName(random: Random): HostileAnswer {
  const name = oneOf(random, ['n', 'é', '🎉', '{[']).repeat(1 + upTo(random, 20_000));
  return withRow(random, `{"${name}":1,"${name}":2}`, undefined);
}

function largeRow(random: Random): HostileAnswer {
  const maxRowBytes = 300;
  const length = oneOf(random, [maxRowBytes - 1, maxRowBytes, maxRowBytes + 1, 5000]);
  const row = `{"a":"${'x'.repeat(length - '{"a":""}'.length)}"}`;
  return { ...withRow(random, row, length > maxRowBytes ? 'row_too_large' : undefined), maxRowBytes };
}

function largeRest(random: Random): HostileAnswer {
  const maxRowBytes = 500;
  const length = oneOf(random, [10, 2000]);
  const code = length > maxRowBytes ? 'answer_too_large' : undefined;
  return { ...withMember(random, `"z":"${'x'.repeat(length)}"`, code), maxRowBytes };
}

/** Texts in place of the comma between two rows. */
const separators: readonly (readonly [text: string, code: string])[] = [
  ['', 'invalid_json'],
  [';', 'invalid_json'],
  ['}', 'invalid_json'],
  [',,', 'row_not_object'],
  [',1,', 'row_not_object'],
  [',[],', 'row_not_object'],
  [',null,', 'row_not_object'],
  [',"{",', 'row_not_object'],
  [',]', 'row_not_object'],
];

function separator(random: Random): HostileAnswer {
  const before = [plainRow(random), ...plainRows(random)];
  const [text, code] = oneOf(random, separators);
  const bytes = Buffer.from(`{"rows":[${before.join(',')}${text}${plainRow(random)}],"ok":true}`);
  return { bytes, rows: before, code, isFaultInside: true };
}

const brokenRows = [
  '{"a":tru}',
  '{"a":01}',
  '{"a" 1}',
  '{"a":1,}',
  '{a:1}',
  '{"a":"\n"}',
  String.raw`{"a":"\q"}`,
  '{,}',
];

function brokenRow(random: Random): HostileAnswer {
  return { ...withRow(random, oneOf(random, brokenRows), 'invalid_json'), hasBrokenRow: true };
}

const small = [
  deepRow,
  deepMember,
  duplicateRows,
  refusal,
  otherAnswer,
  cut,
  badUtf8,
  hugeNumber,
  hugeName,
  largeRow,
  largeRest,
  separator,
  brokenRow,
];
/** These answers have a hundred thousand bytes and more, so they are rare. */
const large = [wideRow, manyColumns, blanks];
const largeShare = 0.01;

export function hostileAnswer(random: Random): HostileAnswer & { readonly kind: string } {
  const make = oneOf(random, random() < largeShare ? large : small);
  return { kind: make.name, ...make(random) };
}
