import { pageRoot } from './host.ts';
import { takeKey } from './keys.ts';

export interface PopupPlace {
  readonly x: number;
  readonly y: number;
}

export function placeBelow(anchor: HTMLElement): PopupPlace {
  const { left, bottom } = anchor.getBoundingClientRect();
  return { x: left, y: bottom };
}

interface Popup {
  close(): void;
  /** Moves the popup into view again after its size has changed. */
  fit(): void;
}

interface PopupOptions {
  readonly content: HTMLElement;
  readonly place: PopupPlace;
  /** Called once, when the popup closes in any way. Restores the focus. */
  readonly onClose: () => void;
}

let openedPopup: Popup | undefined;

/** Shows an element above the page. Escape, a click elsewhere, a resize or the loss of focus closes it. */
export function openPopup({ content, place, onClose }: PopupOptions): Popup {
  const controller = new AbortController();
  const { signal } = controller;
  const close = (): void => {
    if (signal.aborted) return;
    controller.abort();
    openedPopup = undefined;
    content.remove();
    onClose();
  };
  closePopup();
  content.classList.add('popup');
  pageRoot().append(content);
  moveIntoView(content, place);
  content.addEventListener('keydown', event => {
    if (event.key !== 'Escape') return;
    takeKey(event);
    close();
  });
  // Prevents the menus of the browser and of VS Code's webviews.
  content.addEventListener('contextmenu', event => event.preventDefault());
  const onPress = ({ target }: Event): void => {
    if (!(target instanceof Node && content.contains(target))) close();
  };
  document.addEventListener('pointerdown', onPress, { capture: true, signal });
  window.addEventListener('blur', close, { signal });
  window.addEventListener('resize', close, { signal });
  openedPopup = { close, fit: () => moveIntoView(content, place) };
  return openedPopup;
}

export function closePopup(): void {
  openedPopup?.close();
}

function moveIntoView(content: HTMLElement, { x, y }: PopupPlace): void {
  const { width, height } = content.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  content.style.left = `${Math.max(0, Math.min(x, clientWidth - width))}px`;
  content.style.top = `${Math.max(0, Math.min(y, clientHeight - height))}px`;
}
