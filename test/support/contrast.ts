/** A color of text, and the colors behind it from front to back, as computed styles spell them. */
export interface Pair {
  readonly color: string;
  readonly backgrounds: readonly string[];
}

type Rgb = readonly [red: number, green: number, blue: number];

interface Layer {
  readonly rgb: Rgb;
  readonly alpha: number;
}

/** The contrast between two colors as WCAG defines it, from 1 to 21. Translucent colors let those behind them through. */
export function contrastOf({ color, backgrounds }: Pair): number {
  const background = flattened(backgrounds.map(layerOf));
  const [lighter = 0, darker = 0] = [flattened([layerOf(color)], background), background]
    .map(luminanceOf)
    .toSorted((one, other) => other - one);
  return (lighter + 0.05) / (darker + 0.05);
}

const white: Rgb = [255, 255, 255];

/** The color that is seen through layers, which are given from front to back. */
function flattened(layers: readonly Layer[], bottom = white): Rgb {
  return layers.reduceRight<Rgb>(
    (behind, { rgb, alpha }) => rgb.map((part, nth) => part * alpha + behind[nth]! * (1 - alpha)) as unknown as Rgb,
    bottom,
  );
}

function luminanceOf(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map(part => {
    const share = part / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** `rgb(1, 2, 3)`, `rgba(1, 2, 3, 0.5)` or `color(srgb 0.1 0.2 0.3 / 0.5)`. */
function layerOf(color: string): Layer {
  const [first = 0, second = 0, third = 0, alpha = 1] = (color.match(/-?\d*\.?\d+(?:e-?\d+)?/g) ?? []).map(Number);
  const scale = color.startsWith('color(') ? 255 : 1;
  return { rgb: [first * scale, second * scale, third * scale], alpha: color === 'transparent' ? 0 : alpha };
}
