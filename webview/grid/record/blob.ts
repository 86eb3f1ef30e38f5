/** BLOBs as the service sends them, in base64. Of its beginning, its length and its end, the size is known. */

const wholeBase64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** How far a text is looked at to tell whether it is base64. */
const lookedAt = 100_000;

/** Whether a text of so many characters can be base64. A column of the type BLOB may hold texts as well. */
export function isBase64(text: string, length: number): boolean {
  return (
    length % 4 === 0 &&
    (text.length > lookedAt ? /^[A-Za-z0-9+/]*$/.test(text.slice(0, lookedAt)) : wholeBase64.test(text))
  );
}

export function byteLength(length: number, end: string): number {
  const padding = end.endsWith('==') ? 2 : end.endsWith('=') ? 1 : 0;
  return (length / 4) * 3 - padding;
}

/** The bytes from the beginning, at most so many. */
export function decodeBase64(base64: string, most = Infinity): Uint8Array<ArrayBuffer> {
  const part = most === Infinity ? base64 : base64.slice(0, Math.ceil(most / 3) * 4);
  return Uint8Array.from(atob(part), character => character.charCodeAt(0)).subarray(0, most);
}

const bytesPerLine = 16;

/** As every hex viewer writes it: where a line begins, its bytes, and what is readable of them. */
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

/** The text that bytes are in UTF-8, or undefined. The last character may be cut, as where only a part was decoded. */
export function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}
