/**
 * Stands for curl when a test runs the examples of a document, since not every machine has curl. It knows the options of the
 * examples, refuses all others, and appends each exchange to the file that `CURL_LOG` names.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { parseArgs } from 'node:util';

export interface HttpExchange {
  readonly method: string;
  readonly url: string;
  /** The JSON that was sent. */
  readonly sent: string | undefined;
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** The status of curl if an answer took too long. */
const timeoutStatus = 28;

function send(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      header: { type: 'string', short: 'H', multiple: true, default: [] },
      include: { type: 'boolean', short: 'i' },
      json: { type: 'string' },
      'max-time': { type: 'string' },
      'no-buffer': { type: 'boolean', short: 'N' },
      request: { type: 'string', short: 'X' },
    },
  });
  const [url = '', ...others] = positionals;
  if (others.length > 0) throw new Error(`more than one address: ${positionals.join(' ')}`);
  const sent = values.json;
  const method = values.request ?? (sent === undefined ? 'GET' : 'POST');
  const json = { 'content-type': 'application/json', accept: 'application/json' };
  const headers = { ...(sent === undefined ? {} : json), ...headersIn(values.header) };
  const outgoing = request(url, { method, headers }, answer => {
    let body = '';
    const log = (): void => {
      const { statusCode: status = 0, statusMessage: statusText = '' } = answer;
      const exchange: HttpExchange = { method, url, sent, status, statusText, headers: answer.headers, body };
      appendFileSync(process.env['CURL_LOG'] ?? '', `${JSON.stringify(exchange)}\n`);
    };
    answer.setEncoding('utf8').on('data', (text: string) => (body += text));
    answer.on('end', () => {
      log();
      console.log(body);
    });
    if (values['max-time'] === undefined) return;
    setTimeout(
      () => {
        log();
        process.exit(timeoutStatus);
      },
      Number(values['max-time']) * 1000,
    );
  });
  outgoing.end(sent);
}

/** Reads headers, also those in files. */
function headersIn(texts: readonly string[]): Record<string, string> {
  const lines = texts.flatMap(text =>
    text.startsWith('@') ? readFileSync(text.slice(1), 'utf8').trim().split('\n') : [text],
  );
  return Object.fromEntries(
    lines.map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
}

if (import.meta.main) send();
