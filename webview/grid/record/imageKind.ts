export interface ImageKind {
  readonly type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly width: number;
  readonly height: number;
}

/** By its first bytes, never by a name. The size is read before decoding: a few bytes can be an image of gigabytes. */
export function imageKindOf(bytes: Uint8Array): ImageKind | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (startsWith(bytes, '\u0089PNG\r\n\u001a\n')) {
      return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
    }
    if (startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a')) {
      return { type: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
    }
    if (startsWith(bytes, '\u00ff\u00d8\u00ff')) return jpegOf(view);
    if (startsWith(bytes, 'RIFF') && startsWith(bytes.subarray(8), 'WEBP')) return webpOf(bytes, view);
  } catch (thrown) {
    // The bytes end before the size.
    if (!(thrown instanceof RangeError)) throw thrown;
  }
  return undefined;
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return Array.from(text).every((character, i) => bytes[i] === character.charCodeAt(0));
}

/** Goes through the segments of a JPEG to the frame with the size. Each segment has a marker and a length. */
function jpegOf(view: DataView): ImageKind | undefined {
  let offset = 2;
  while (view.getUint8(offset) === 0xff) {
    const marker = view.getUint8(offset + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { type: 'image/jpeg', width: view.getUint16(offset + 7), height: view.getUint16(offset + 5) };
    offset += 2 + view.getUint16(offset + 2);
  }
  return undefined;
}

function webpOf(bytes: Uint8Array, view: DataView): ImageKind | undefined {
  const chunk = bytes.subarray(12);
  const type = 'image/webp';
  if (startsWith(chunk, 'VP8X')) {
    const size = (offset: number): number => 1 + view.getUint16(offset, true) + view.getUint8(offset + 2) * 0x10000;
    return { type, width: size(24), height: size(27) };
  }
  if (startsWith(chunk, 'VP8L')) {
    const bits = view.getUint32(21, true);
    return { type, width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (startsWith(chunk, 'VP8 ')) {
    return { type, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  return undefined;
}
