import { element } from '../../ui/element.ts';
import type { ImageKind } from './imageKind.ts';

/** A decoded image takes four bytes per pixel. */
const maxPixels = 40_000_000;
/** Wider images are drawn smaller: the record is not as wide. */
const maxWidth = 1200;

export const isDrawable = ({ width, height }: ImageKind): boolean =>
  width > 0 && height > 0 && width * height <= maxPixels;

/** Draws an image on a canvas, because the page's security policy forbids loading images. */
export async function drawImage(bytes: Uint8Array<ArrayBuffer>, kind: ImageKind, label: string): Promise<HTMLElement> {
  const canvas = element('canvas', 'image');
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', label);
  const scale = Math.min(1, maxWidth / kind.width);
  const bitmap = await createImageBitmap(new Blob([bytes], { type: kind.type }), {
    resizeWidth: Math.max(1, Math.round(kind.width * scale)),
    resizeHeight: Math.max(1, Math.round(kind.height * scale)),
  });
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return canvas;
}
