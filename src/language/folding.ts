import { type FoldingRange, FoldingRangeKind } from 'vscode-languageserver/node';
import { FoldingScan, limitedRanges } from '../sql/folding/foldingRanges.ts';
import type { Feature } from './feature.ts';
import { Turns } from './turns.ts';

/** The most ranges that editors fold. */
const maxRanges = 5000;

/** The fewest tokens of a turn. */
const tokensPerStep = 1000;

const kinds = { comment: FoldingRangeKind.Comment, region: FoldingRangeKind.Region } as const;

export const folding: Feature = {
  capabilities: { foldingRangeProvider: true },
  listen({ connection, documents }) {
    connection.onFoldingRanges(async ({ textDocument }, token) => {
      const found: FoldingRange[] = [];
      for (const document of await documents.in(textDocument)) {
        const turns = new Turns(token, document);
        const scan = new FoldingScan(document.text);
        while (scan.read(tokensPerStep)) if (turns.isOver) await turns.next();
        const firstLine = document.positionAt(0).line;
        for (const { startLine, endLine, kind } of limitedRanges(scan.ranges, maxRanges)) {
          const lines = { startLine: firstLine + startLine, endLine: firstLine + endLine };
          found.push(kind === 'code' ? lines : { ...lines, kind: kinds[kind] });
        }
      }
      return found;
    });
  },
};
