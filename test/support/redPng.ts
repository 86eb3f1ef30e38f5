import { crc32, deflateSync } from 'node:zlib';

/** A PNG of 3 × 2 red pixels, as base64. */
export function redPng(): string {
  const row = [0, 255, 0, 0, 255, 0, 0, 255, 0, 0];
  return Buffer.concat([
    Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'),
    chunk('IHDR', Buffer.from([0, 0, 0, 3, 0, 0, 0, 2, 8, 2, 0, 0, 0])),
    chunk('IDAT', deflateSync(Buffer.from([...row, ...row]))),
    chunk('IEND', Buffer.alloc(0)),
  ]).toString('base64');
}

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(4);
  const tail = Buffer.alloc(4);
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  head.writeUInt32BE(data.length);
  tail.writeUInt32BE(crc32(body));
  return Buffer.concat([head, body, tail]);
}
