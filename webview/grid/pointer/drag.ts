import { takeKey } from '../../ui/takeKey.ts';

interface DragOptions {
  readonly on: HTMLElement;
  readonly start: PointerEvent;
  readonly move: (event: PointerEvent) => void;
  /** Called once. `dropped` is false if the drag was cancelled. */
  readonly end: (dropped: boolean) => void;
}

/** Follows a pressed pointer until it is released, even outside of the page. Escape cancels the drag. */
export function followDrag({ on, start, move, end }: DragOptions): void {
  const controller = new AbortController();
  const { signal } = controller;
  const finish = (dropped: boolean): void => {
    if (signal.aborted) return;
    controller.abort();
    if (on.hasPointerCapture(start.pointerId)) on.releasePointerCapture(start.pointerId);
    end(dropped);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    takeKey(event);
    finish(false);
  };
  on.setPointerCapture(start.pointerId);
  on.addEventListener('pointermove', move, { signal });
  on.addEventListener('pointerup', () => finish(true), { signal });
  on.addEventListener('lostpointercapture', () => finish(false), { signal });
  window.addEventListener('keydown', onKey, { capture: true, signal });
}
