import { Graph, layout } from '@dagrejs/dagre';
import type { LayoutBox, LayoutLine } from './layout.ts';
import { boxGap, type Rect, separate } from './rects.ts';

/** Room for the text of a key between two layers. */
const minLayerGap = 110;
const maxLayerGap = 300;

/** Layers from left to right: a table is to the left of the tables that it refers to, unless the keys form a cycle. */
export function layeredPlaces(boxes: readonly LayoutBox[], lines: readonly LayoutLine[]): Rect[] {
  const graph = new Graph();
  const labelWidth = Math.max(0, ...lines.map(line => line.labelWidth));
  graph.setGraph({
    rankdir: 'LR',
    nodesep: boxGap,
    edgesep: 20,
    ranksep: Math.min(maxLayerGap, Math.max(minLayerGap, labelWidth + 80)),
  });
  graph.setDefaultEdgeLabel(() => ({}));
  boxes.forEach(({ width, height }, index) => graph.setNode(String(index), { width, height }));
  for (const { from, to } of lines) if (from !== to) graph.setEdge(String(from), String(to));
  layout(graph);
  const rects = boxes.map(({ width, height }, index) => {
    const { x = 0, y = 0 } = graph.node(String(index)) as { readonly x?: number; readonly y?: number };
    return { x: x - width / 2, y: y - height / 2, width, height };
  });
  return separate(rects, boxGap);
}
