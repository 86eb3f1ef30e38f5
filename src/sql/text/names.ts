import { foldAscii } from '../../base/foldAscii.ts';

/** The key by which SQLite finds a name. It ignores the case of ASCII letters only. */
export const keyOf = foldAscii;

export const isSameName = (a: string, b: string): boolean => keyOf(a) === keyOf(b);
