import { cutText } from '../../../src/base/oneLine.ts';
import { xmlText } from '../../ui/xmlText.ts';
import type { Shape } from './chartModel.ts';

export interface SeriesStyle {
  readonly color: string;
  readonly dash: readonly number[];
  readonly strokeWidth: number;
  readonly fillOpacity: number;
}

interface Tick {
  readonly at: number;
  readonly text: string;
}

interface Entry extends SeriesStyle, Shape {
  readonly name: string;
}

/** A chart as it is on screen, in pixels. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** The chart without its axes. */
  readonly plot: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
  /** The same without background and legend. */
  readonly canvas: HTMLCanvasElement;
  readonly background: string;
  readonly foreground: string;
  readonly font: string;
  readonly fontSize: number;
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  readonly series: readonly Entry[];
}

/** A mixed color is known to browsers only. */
export const gridOpacity = 0.2;
const lineHeight = 20;
const maxNameLength = 40;
/** Places names without measuring them: a viewer may have other fonts. */
const letterShare = 0.62;

export function svgOf(picture: Picture): string {
  const { height, plot, background, foreground, font, fontSize, xTicks, yTicks, series } = picture;
  const bottom = plot.top + plot.height;
  const right = plot.left + plot.width;
  const grid = [
    ...xTicks.map(({ at }) => `M${at} ${plot.top}V${bottom}`),
    ...yTicks.map(({ at }) => `M${plot.left} ${at}H${right}`),
  ];
  const shapes = series.map(({ color, dash, strokeWidth, fillOpacity, stroke, fill }) =>
    [
      `<path d="${fill}" fill="${xmlText(color)}" fill-opacity="${fillOpacity}"/>`,
      `<path d="${stroke}" fill="none" stroke="${xmlText(color)}" stroke-width="${strokeWidth}" stroke-dasharray="${dash.join(' ')}"/>`,
    ].join(''),
  );
  const legend = legendOf(picture);
  const names = legend.entries.map(
    ({ text, color, left }) =>
      `<rect x="${left}" y="${height + 4}" width="12" height="12" fill="${xmlText(color)}"/>${textAt(left + 18, height + 14, 'start', text)}`,
  );
  const { fullWidth, fullHeight } = legend;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${fullWidth}" height="${fullHeight}" viewBox="0 0 ${fullWidth} ${fullHeight}">`,
    `<rect width="100%" height="100%" fill="${xmlText(background)}"/>`,
    `<path d="${grid.join('')}" stroke="${xmlText(foreground)}" stroke-opacity="${gridOpacity}" fill="none"/>`,
    `<g transform="translate(${plot.left} ${plot.top})">${shapes.join('')}</g>`,
    `<g fill="${xmlText(foreground)}" font-family="${xmlText(font)}" font-size="${fontSize}">`,
    ...xTicks.map(({ at, text }) => textAt(at, bottom + lineHeight, 'middle', text)),
    ...yTicks.map(({ at, text }) => textAt(plot.left - 8, at + fontSize / 3, 'end', text)),
    ...names,
    '</g></svg>',
  ].join('\n');
}

const textAt = (x: number, y: number, anchor: string, text: string): string =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}">${xmlText(text)}</text>`;

/** The names of several series below the chart. */
function legendOf({ series, plot, width, height, fontSize }: Picture) {
  let end = plot.left;
  const entries = (series.length > 1 ? series : []).map(({ name, color }) => {
    const text = cutText(name, maxNameLength);
    const left = end;
    end += text.length * fontSize * letterShare + 2 * lineHeight;
    return { text, color, left };
  });
  const fullHeight = height + (entries.length > 0 ? lineHeight : 0);
  return { entries, fullWidth: Math.max(width, Math.ceil(end)), fullHeight };
}

export async function pngOf(picture: Picture): Promise<Blob> {
  const { canvas, width, height, background, foreground, font, fontSize } = picture;
  const { entries, fullWidth, fullHeight } = legendOf(picture);
  const scale = canvas.width / width;
  const copy = new OffscreenCanvas(fullWidth * scale, fullHeight * scale);
  const context = copy.getContext('2d')!;
  context.scale(scale, scale);
  context.fillStyle = background;
  context.fillRect(0, 0, fullWidth, fullHeight);
  context.drawImage(canvas, 0, 0, width, height);
  context.font = `${fontSize}px ${font}`;
  for (const { text, color, left } of entries) {
    context.fillStyle = color;
    context.fillRect(left, height + 4, 12, 12);
    context.fillStyle = foreground;
    context.fillText(text, left + 18, height + 14);
  }
  return copy.convertToBlob({ type: 'image/png' });
}

export const base64Of = async (blob: Blob): Promise<string> => new Uint8Array(await blob.arrayBuffer()).toBase64();
