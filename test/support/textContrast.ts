/* oxlint-disable unicorn/consistent-function-scoping -- the browser has only what is in the function that it gets */
import type { Page } from 'playwright-core';

export interface FaintText {
  readonly text: string;
  readonly contrast: number;
}

/** The texts of a page with less contrast to their background than WCAG demands (4.5:1). Shadow trees count too. */
export async function faintTexts(page: Page, background: string): Promise<readonly FaintText[]> {
  return page.evaluate(pageBackground => {
    type Color = readonly [number, number, number, number];
    const parse = (color: string): Color => {
      const canvas = document.createElement('canvas').getContext('2d')!;
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      const [r = 0, g = 0, b = 0, a = 0] = canvas.getImageData(0, 0, 1, 1).data;
      return [r, g, b, a / 255];
    };
    const over = (top: Color, below: Color): Color => {
      const mix = (i: 0 | 1 | 2): number => top[i] * top[3] + below[i] * (1 - top[3]);
      return [mix(0), mix(1), mix(2), 1];
    };
    const luminance = ([r, g, b]: Color): number => {
      const linear = (value: number): number => {
        const part = value / 255;
        return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      };
      return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    };
    const parentOf = (element: Element): Element | undefined =>
      element.assignedSlot ?? element.parentElement ?? (element.getRootNode() as Partial<ShadowRoot>).host;
    const behind = (element: Element): Color => {
      const own = parse(getComputedStyle(element).backgroundColor);
      if (own[3] === 1) return own;
      const parent = parentOf(element);
      return over(own, parent ? behind(parent) : parse(pageBackground));
    };
    const faint: { text: string; contrast: number }[] = [];
    const visit = (node: Node): void => {
      if (node instanceof Element && node.shadowRoot) visit(node.shadowRoot);
      for (const child of node.childNodes) visit(child);
      // The style sheet writes signs.
      const sign = node instanceof HTMLElement ? node.dataset['sign'] : undefined;
      const text = node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '').trim() : (sign ?? '');
      const element = sign !== undefined && node instanceof Element ? node : node.parentElement;
      if (text === '' || !element?.checkVisibility()) return;
      const below = behind(element);
      const color = over(parse(getComputedStyle(element).color), below);
      const [light, dark] = [luminance(color), luminance(below)].toSorted((a, b) => b - a) as [number, number];
      const contrast = (light + 0.05) / (dark + 0.05);
      if (contrast < 4.5) faint.push({ text, contrast: Math.round(contrast * 100) / 100 });
    };
    visit(document.body);
    return faint;
  }, background);
}
