/** BLOBs as the service sends them, in base64. The length and the end of the text determine the size. */

const wholeBase64 = /^[A-Za-z0-9+/]*={0,2}$/;
const base64Beginning = /^[A-Za-z0-9+/]*$/;
/** A longer text is checked up to here. */
const maxCheckedLength = 2_000_000;

/** Whether a text of this length can be base64. A column of the type BLOB may hold texts as well. */
export function isBase64(text: string, length: number): boolean {
  if (length % 4 !== 0) return false;
  if (text.length <= maxCheckedLength) return wholeBase64.test(text);
  return base64Beginning.test(text.slice(0, maxCheckedLength));
}

export function byteLength(length: number, end: string): number {
  const padding = end.endsWith('==') ? 2 : end.endsWith('=') ? 1 : 0;
  return (length / 4) * 3 - padding;
}

/** The first bytes of a base64 text, at most `maxBytes`. A loop, because a large image has millions of bytes. */
export function decodeBase64(base64: string, maxBytes = Infinity): Uint8Array<ArrayBuffer> {
  const part = base64.slice(0, Math.ceil(maxBytes / 3) * 4);
  const binary = atob(part);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes.subarray(0, maxBytes);
}

const bytesPerLine = 16;

/** Lines as in every hex viewer: the offset, the bytes, and the readable characters. */
export function hexDump(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; start += bytesPerLine) {
    const line = bytes.subarray(start, start + bytesPerLine);
    const hex = Array.from(line, byte => byte.toString(16).padStart(2, '0')).join(' ');
    const readable = Array.from(line, byte => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${start.toString(16).padStart(8, '0')}  ${hex.padEnd(bytesPerLine * 3 - 1)}  ${readable}`);
  }
  return lines.join('\n');
}

/** The text of bytes in UTF-8, or undefined. The last character may be cut. */
export function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}
