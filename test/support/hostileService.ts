import type { ServerResponse } from 'node:http';
import { asRecord, asString, parseJson } from '../../src/base/decode.ts';
import { type Answer, reply, reset, type ScriptedServer, stall, startScriptedServer } from './scriptedServer.ts';

const start = (response: ServerResponse, body: string): void => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(body);
};

const megabyte = 2 ** 20;
const wideRow = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`column ${i}`, i]));
const markup = '<img src=x onerror="document.title=1"><b>bold</b>';

/** Misbehaviours of a service, by the text that a statement selects. */
const answers = {
  slow: response => {
    start(response, '{"rows":[{"n":0}');
    let row = 0;
    const timer = setInterval(() => {
      if (response.destroyed) clearInterval(timer);
      else if (++row < 20) response.write(`,{"n":${row}}`);
      else {
        clearInterval(timer);
        response.end('],"ok":true}');
      }
    }, 50);
  },
  stalled: response => start(response, '{"rows":[{"n":1},{"n":2}'),
  silent: stall,
  truncated: response => {
    start(response, '{"rows":[{"n":1},{"n":2},{"n":');
    response.end();
  },
  cut: response => {
    start(response, '{"rows":[{"n":1},{"n":2}');
    setTimeout(() => response.socket?.resetAndDestroy(), 200);
  },
  reset,
  garbage: reply('<h1>It works!</h1>'),
  'late garbage': reply('{"rows":[{"n":1},{"n":2},}}],"ok":true}'),
  'bad text': reply(Buffer.concat([Buffer.from('{"rows":[{"n":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}]}')])),
  'late fault': reply('{"rows":[{"n":1}],"ok":false,"error":"The disk is gone.","code":"io_error"}'),
  refused: reply({ ok: false, message: 'no such column: nope', code: 'sql_error', details: { offset: 7 } }, 400),
  broken: reply('Oops', 500),
  busy: reply({ message: 'Too many.' }, 429, { 'retry-after': '120' }),
  wide: reply({ rows: [wideRow, wideRow], ok: true }),
  'large cell': response => {
    start(response, '{"rows":[{"n":1},{"n":"');
    for (let sent = 0; sent < 40; sent++) response.write('x'.repeat(megabyte));
    response.end('"},{"n":3}],"ok":true}');
  },
  'too large a cell': response => {
    start(response, '{"rows":[{"n":1},{"n":"');
    for (let sent = 0; sent < 70; sent++) response.write('x'.repeat(megabyte));
    response.end('"},{"n":3}],"ok":true}');
  },
  deep: reply(`{"rows":[{"n":1},{"n":${'['.repeat(megabyte)}`),
  blanks: reply(`{"rows":[{"n":1},{"n":2}${' '.repeat(megabyte)}`),
  'other program': reply({ status: 'up' }),
  'many columns': reply(`{"rows":[{${Array.from({ length: 5000 }, (_, i) => `"c${i}":${i}`).join(',')}}],"ok":true}`),
  'nested cell': reply(`{"rows":[{"n":1},{"n":[${'[["an array in an array"]],'.repeat(8000)}1]},{"n":3}],"ok":true}`),
  duplicates: reply('{"rows":[{"a":1,"a:1":2,"__proto__":3}],"columns":[],"ok":true}'),
  nothing: reply({ rows: [], columns: [{ name: 'n', type: 'INTEGER' }], ok: true }),
  markup: reply({ rows: [{ [markup]: markup }], ok: true }),
} as const satisfies Readonly<Record<string, Answer>>;

export type Misbehaviour = keyof typeof answers;
export const misbehaviours = Object.keys(answers) as readonly Misbehaviour[];

/** A service with one empty project that misbehaves for `SELECT 'slow'` and the like. */
export function startHostileService(): Promise<ScriptedServer> {
  return startScriptedServer((response, request) => {
    const sql = asString(asRecord(parseJson(request.body))?.['sql']) ?? '';
    const name = misbehaviours.find(known => sql.includes(`'${known}'`));
    const answer: Answer = name ? answers[name] : reply({ rows: [], columns: [], ok: true, tables: [] });
    answer(response, request);
  });
}
