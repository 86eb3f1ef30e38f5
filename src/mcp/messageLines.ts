import { decodeUtf8 } from '../base/decode.ts';

/** The most of a line that is held in memory. */
const maxLineBytes = 4 * 1024 * 1024;

/** One line of the input, or that a line was too long, or is not UTF-8. */
export type InputLine = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'tooLong' | 'notText' };

/** The lines of a stream of bytes. A line that is too long is skipped to its end. */
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
