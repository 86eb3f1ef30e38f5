import {
  type CancellationToken,
  type Range,
  type SemanticTokens,
  SemanticTokensBuilder,
  type SemanticTokensDelta,
  SemanticTokensDeltaRequest,
  type SemanticTokensEdit,
  SemanticTokensRangeRequest,
  SemanticTokensRequest,
  type SemanticTokenTypes,
} from 'vscode-languageserver/node';
import { coarseHighlights, type Highlight, type HighlightKind, highlightsOf } from '../sql/highlighting/highlights.ts';
import { TextCache } from '../sql/text/textCache.ts';
import type { TextRange } from '../sql/text/textRange.ts';
import type { Feature } from './feature.ts';
import type { SqlDocument } from './sqlDocument.ts';
import { Turns } from './turns.ts';

/** A longer file has tokens only for the lines in view. The editor requests these if it gets none for the whole file. */
const maxLength = 1_000_000;

/** Themes know these types. package.json maps them to the scopes of SQL. */
const typeOfKind: Readonly<Record<HighlightKind, `${SemanticTokenTypes}`>> = {
  keyword: 'keyword',
  function: 'function',
  table: 'class',
  column: 'property',
  alias: 'variable',
  object: 'variable',
  type: 'type',
  string: 'string',
  number: 'number',
  parameter: 'parameter',
  operator: 'operator',
  comment: 'comment',
  database: 'namespace',
};

const tokenTypes = [...new Set(Object.values(typeOfKind))];

const tokenModifiers = ['declaration', 'defaultLibrary'];

/** Colors SQLite's dialect. VS Code's own grammar is for another database. */
export const semanticTokens: Feature = {
  capabilities: {
    semanticTokensProvider: { legend: { tokenTypes, tokenModifiers }, range: true, full: { delta: true } },
  },
  listen({ connection, documents }) {
    const provider = new TokenProvider();
    connection.onRequest(SemanticTokensRequest.type, async ({ textDocument }, token) =>
      provider.full(await documents.documentsIn(textDocument), token),
    );
    connection.onRequest(SemanticTokensDeltaRequest.type, async ({ textDocument, previousResultId }, token) =>
      provider.delta(await documents.documentsIn(textDocument), previousResultId, token),
    );
    connection.onRequest(SemanticTokensRangeRequest.type, async ({ textDocument, range }, token) =>
      provider.range(await documents.documentsIn(textDocument), range, token),
    );
    documents.onDidChangeProject(() => {
      // An editor that cannot refresh the colors requests them with the next edit.
      connection.languages.semanticTokens.refresh().catch(() => undefined);
    });
  },
};

type Answer = Required<SemanticTokens>;

class TokenProvider {
  /** By the text of a statement, so that an edit costs one statement. */
  readonly #highlights = new TextCache<readonly Highlight[]>();
  /** The last answer for each file, by the first document of the file. The next answer sends only the changes. */
  readonly #answers = new WeakMap<SqlDocument, Answer>();
  #answerCount = 0;

  async full(documents: readonly SqlDocument[], token: CancellationToken): Promise<Answer | null> {
    const [first] = documents;
    if (!first || documents.some(({ statements }) => statements.length > maxLength)) return null;
    const builder = new SemanticTokensBuilder();
    for (const document of documents) {
      await this.#encode(builder, document, { start: 0, end: document.statements.length }, token);
    }
    const answer = { resultId: String(++this.#answerCount), data: builder.build().data };
    this.#answers.set(first, answer);
    return answer;
  }

  async delta(
    documents: readonly SqlDocument[],
    previousResultId: string,
    token: CancellationToken,
  ): Promise<SemanticTokens | SemanticTokensDelta | null> {
    const previous = documents[0] && this.#answers.get(documents[0]);
    const answer = await this.full(documents, token);
    if (!answer || previous?.resultId !== previousResultId) return answer;
    return { resultId: answer.resultId, edits: [dataEdit(previous.data, answer.data)] };
  }

  async range(documents: readonly SqlDocument[], range: Range, token: CancellationToken): Promise<SemanticTokens> {
    const builder = new SemanticTokensBuilder();
    for (const document of documents) {
      const start = Math.max(0, document.offsetAt(range.start));
      const end = Math.min(document.statements.length, document.offsetAt(range.end));
      await this.#encode(builder, document, { start, end }, token);
    }
    return { data: builder.build().data };
  }

  /** Encodes the tokens in a range. A turn may end within a statement, because a statement may be very long. */
  async #encode(builder: SemanticTokensBuilder, document: SqlDocument, range: TextRange, token: CancellationToken) {
    const turns = new Turns(token, document);
    const text = document.text;
    for (const part of partsIn(document, range)) {
      const source = text.slice(part.start, part.end);
      const highlights = part.isStatement ? this.#highlightsOf(source) : coarseHighlights(source);
      let count = 0;
      for (const highlight of highlights) {
        if (++count % 100 === 0 && turns.isOver) await turns.next();
        const start = Math.max(range.start, part.start + highlight.start);
        const end = Math.min(range.end, part.start + highlight.end);
        if (start < end) addToken(builder, document, text, { ...highlight, start, end });
        else if (start >= range.end) break;
      }
      if (turns.isOver) await turns.next();
    }
  }

  #highlightsOf(statement: string): Iterable<Highlight> {
    const cached = this.#highlights.get(statement);
    if (cached) return cached;
    const highlights = highlightsOf(statement);
    if (Array.isArray(highlights)) this.#highlights.set(statement, highlights as Highlight[]);
    return highlights;
  }
}

/** The statements in a range, and the gaps before them, which may have comments. */
function* partsIn({ statements }: SqlDocument, range: TextRange): Iterable<TextRange & { isStatement: boolean }> {
  let number = statements.firstEndingAfter(range.start);
  let end = statements.at(number - 1)?.end ?? 0;
  while (end < range.end) {
    const statement = statements.at(number++);
    const start = statement?.start ?? statements.length;
    if (start > end) yield { start: end, end: start, isStatement: false };
    if (!statement) return;
    yield { ...statement, isStatement: true };
    end = statement.end;
  }
}

/** Adds a token of a document. The protocol has no tokens over several lines, so each line of the token becomes one. */
function addToken(builder: SemanticTokensBuilder, document: SqlDocument, text: string, token: Highlight) {
  for (const { start, end } of linesOf(text, token)) {
    const { line, character } = document.positionAt(start);
    const type = tokenTypes.indexOf(typeOfKind[token.kind]);
    builder.push(line, character, end - start, type, (token.isDeclaration ? 1 : 0) + (token.isBuiltIn ? 2 : 0));
  }
}

/** The lines of a token. A search must not go beyond the token: the text may be one long line. */
function linesOf(text: string, token: TextRange): readonly TextRange[] {
  const source = text.slice(token.start, token.end);
  if (!source.includes('\n')) return [token];
  return [...source.matchAll(/[^\r\n]+/g)].map(({ index, 0: line }) => ({
    start: token.start + index,
    end: token.start + index + line.length,
  }));
}

/** The edit that turns the data of the previous answer into those of the next one. */
function dataEdit(previous: readonly number[], next: readonly number[]): SemanticTokensEdit {
  const shared = Math.min(previous.length, next.length);
  let start = 0;
  while (start < shared && previous[start] === next[start]) start++;
  let tail = 0;
  while (tail < shared - start && previous.at(-1 - tail) === next.at(-1 - tail)) tail++;
  return { start, deleteCount: previous.length - tail - start, data: next.slice(start, next.length - tail) };
}
