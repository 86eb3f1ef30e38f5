import type { Visited } from '../parser/walk.ts';
import type { Schema } from '../schema/schema.ts';
import type { Scope } from '../scope/scope.ts';
import type { CursorContext } from './cursorContext.ts';
import type { Proposals } from './proposals.ts';
import type { Surroundings } from './surroundings.ts';
import type { TypedWord } from './typedWord.ts';

export interface NamesRequest {
  readonly proposals: Proposals;
  readonly context: CursorContext;
  /** The node of the typed word. */
  readonly name: Visited;
  readonly scope: Scope;
  readonly schema: Schema;
  readonly word: TypedWord;
  /** The part of the word before the cursor, without its quote. */
  readonly typed: string;
  readonly surroundings: Surroundings;
}
