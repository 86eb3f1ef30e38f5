import type { TextEncoding } from '../importOptions.ts';
import type { SourceFile } from '../sourceFile.ts';
import { bomLength, TextPieces } from '../sourceText.ts';

/** A part of a text file, and whether it is the last one. */
interface TextPart {
  readonly text: string;
  readonly isLast: boolean;
}

/** The text of a file from a byte on, part by part. The last part may be empty. */
export async function* textParts(file: SourceFile, encoding: TextEncoding, from: number): AsyncGenerator<TextPart> {
  const pieces = new TextPieces(encoding);
  for await (const piece of file.pieces(from)) yield { text: pieces.decode(piece), isLast: false };
  yield { text: pieces.end(), isLast: true };
}

/** The bytes of the byte order mark of a file. */
export const markLength = async (file: SourceFile, encoding: TextEncoding): Promise<number> =>
  bomLength(await file.head(3), encoding);
