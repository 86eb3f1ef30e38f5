import { xmlText } from '../ui/xmlText.ts';
import type { Rect } from './layout/rects.ts';

interface Stroke {
  readonly color: string;
  readonly width?: number;
  readonly dash?: readonly number[];
  readonly opacity?: number;
}

interface TextStyle {
  readonly color: string;
  readonly size: number;
  readonly isBold?: boolean;
  readonly anchor?: 'start' | 'middle' | 'end';
  /** The color behind the letters, where lines may be. */
  readonly halo?: string;
}

/** Draws on the screen or into a file. Paths have the syntax of SVG. */
export interface Pen {
  fill(path: string, color: string): void;
  stroke(path: string, stroke: Stroke): void;
  /** The text stands on `y`. */
  text(text: string, x: number, y: number, style: TextStyle): void;
}

export const fontOf = ({ size, isBold = false }: Pick<TextStyle, 'size' | 'isBold'>, family: string): string =>
  `${isBold ? '600 ' : ''}${size}px ${family}`;

export class CanvasPen implements Pen {
  readonly #context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;
  readonly #family: string;
  /** Paths are the same in each frame of a movement. */
  readonly #paths: Map<string, Path2D>;

  constructor(
    context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
    family: string,
    paths = new Map<string, Path2D>(),
  ) {
    this.#context = context;
    this.#family = family;
    this.#paths = paths;
  }

  fill(path: string, color: string): void {
    this.#context.fillStyle = color;
    this.#context.fill(this.#path(path));
  }

  stroke(path: string, { color, width = 1, dash = [], opacity = 1 }: Stroke): void {
    const context = this.#context;
    context.strokeStyle = color;
    context.lineWidth = width;
    context.setLineDash([...dash]);
    context.globalAlpha = opacity;
    context.stroke(this.#path(path));
    context.globalAlpha = 1;
  }

  text(text: string, x: number, y: number, style: TextStyle): void {
    const context = this.#context;
    const { color, anchor = 'start', halo } = style;
    context.font = fontOf(style, this.#family);
    context.textAlign = anchor === 'middle' ? 'center' : anchor;
    if (halo !== undefined) {
      context.setLineDash([]);
      context.strokeStyle = halo;
      context.lineWidth = 4;
      context.strokeText(text, x, y);
    }
    context.fillStyle = color;
    context.fillText(text, x, y);
  }

  #path(path: string): Path2D {
    const known = this.#paths.get(path) ?? new Path2D(path);
    this.#paths.set(path, known);
    return known;
  }
}

export class SvgPen implements Pen {
  readonly #parts: string[] = [];

  fill(path: string, color: string): void {
    this.#parts.push(`<path d="${path}" fill="${xmlText(color)}"/>`);
  }

  stroke(path: string, { color, width = 1, dash = [], opacity = 1 }: Stroke): void {
    const dashes = dash.length > 0 ? ` stroke-dasharray="${dash.join(' ')}"` : '';
    this.#parts.push(
      `<path d="${path}" fill="none" stroke="${xmlText(color)}" stroke-width="${width}" stroke-opacity="${opacity}"${dashes}/>`,
    );
  }

  text(text: string, x: number, y: number, { color, size, isBold = false, anchor = 'start', halo }: TextStyle): void {
    const weight = isBold ? ' font-weight="600"' : '';
    const behind = halo === undefined ? '' : ` stroke="${xmlText(halo)}" stroke-width="4" paint-order="stroke"`;
    const place = `x="${x}" y="${y}" text-anchor="${anchor}"`;
    this.#parts.push(
      `<text ${place} font-size="${size}" fill="${xmlText(color)}"${weight}${behind}>${xmlText(text)}</text>`,
    );
  }

  /** The file. `area` is what it shows. */
  file({ x, y, width, height }: Rect, background: string, family: string): string {
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}">`,
      `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${xmlText(background)}"/>`,
      `<g font-family="${xmlText(family)}">`,
      ...this.#parts,
      '</g></svg>',
    ].join('\n');
  }
}
