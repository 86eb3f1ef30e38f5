import { extname } from 'node:path';

/** The file of another entry, which lies beside the one that asks: as source with source, as a bundle with bundles. */
export function besides(url: string, name: string): URL {
  return new URL(`${name}${extname(url)}`, url);
}
