import { asRecord, asString, type UnknownRecord, decodeUtf8 } from '../base/decode.ts';
import { parseBindable } from '../wire/exactJson.ts';
import { isReal } from '../wire/values.ts';

export type RequestId = string | number;

export type IncomingMessage =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params: UnknownRecord }
  | { readonly kind: 'notification'; readonly method: string; readonly params: UnknownRecord }
  /** An answer to a request of this server, which sends none. */
  | { readonly kind: 'answer' }
  | { readonly kind: 'fault'; readonly id: RequestId | null; readonly code: number; readonly message: string };

export const rpcCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
} as const;

/** Reads one message. Numbers stay exact: they may be values of a statement. */
export function decodeMessage(text: string): IncomingMessage {
  let value: unknown;
  try {
    value = parseBindable(text);
  } catch {
    return { kind: 'fault', id: null, code: rpcCodes.parseError, message: 'The line is not valid JSON.' };
  }
  const record = asRecord(value);
  const id = asRequestId(record?.['id']);
  const method = asString(record?.['method']);
  if (record?.['jsonrpc'] !== '2.0' || (method === undefined && id === undefined)) return invalid(id);
  if (method === undefined) return { kind: 'answer' };
  const { params = {} } = record;
  const fields = asRecord(params);
  if (!fields || ('id' in record && id === undefined)) return invalid(id);
  return id === undefined
    ? { kind: 'notification', method, params: fields }
    : { kind: 'request', id, method, params: fields };
}

export function asRequestId(value: unknown): RequestId | undefined {
  const id = isReal(value) ? value.real : value;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

function invalid(id: RequestId | undefined): IncomingMessage {
  const message = 'The line is not a request of JSON-RPC 2.0.';
  return { kind: 'fault', id: id ?? null, code: rpcCodes.invalidRequest, message };
}

/** A longer line is skipped. */
const maxLineBytes = 4 * 1024 * 1024;

/** A line of the input. It has no text if it is too long or not UTF-8. */
export type InputLine = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'tooLong' | 'notText' };

export async function* messageLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<InputLine> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  let isTooLong = false;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      parts.push(chunk.subarray(start, end));
      yield isTooLong || bytes + end - start > maxLineBytes ? { kind: 'tooLong' } : lineOf(parts);
      parts = [];
      bytes = 0;
      isTooLong = false;
      start = end + 1;
    }
    bytes += chunk.length - start;
    isTooLong ||= bytes > maxLineBytes;
    if (isTooLong) parts = [];
    else parts.push(chunk.subarray(start));
  }
}

const newline = 0x0a;

function lineOf(parts: readonly Uint8Array[]): InputLine {
  const text = decodeUtf8(Buffer.concat(parts));
  return text === undefined ? { kind: 'notText' } : { kind: 'line', text };
}
