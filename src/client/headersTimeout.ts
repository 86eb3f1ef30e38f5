import type { Dispatcher } from 'undici';
import type { Clock } from '../base/clock.ts';

/**
 * A dispatcher whose requests fail if no answer begins within `limitMs` after they were sent. Waiting for a connection does
 * not count. undici has such a limit too, but its timers tick only twice a second.
 */
export function withHeadersTimeout(dispatcher: Dispatcher, limitMs: number, clock: Clock): Dispatcher {
  return dispatcher.compose(dispatch => (options, handler) => dispatch(options, timed(handler, limitMs, clock)));
}

function timed(handler: Dispatcher.DispatchHandler, limitMs: number, clock: Clock): Dispatcher.DispatchHandler {
  let cancelTimer: (() => void) | undefined;
  return {
    onRequestStart(controller, context) {
      cancelTimer?.();
      cancelTimer = clock.after(limitMs, () => controller.abort(new HeadersTimeout()));
      handler.onRequestStart?.(controller, context);
    },
    onResponseStart(controller, status, headers, message) {
      // An answer below 200 only says that the real one will come.
      if (status >= 200) cancelTimer?.();
      handler.onResponseStart?.(controller, status, headers, message);
    },
    onResponseError(controller, error) {
      cancelTimer?.();
      handler.onResponseError?.(controller, error);
    },
    onResponseData(controller, chunk) {
      handler.onResponseData?.(controller, chunk);
    },
    onResponseEnd(controller, trailers) {
      handler.onResponseEnd?.(controller, trailers);
    },
  };
}

/** Has the code of undici's own timeout, so that both are reported in the same way. */
class HeadersTimeout extends Error {
  readonly code = 'UND_ERR_HEADERS_TIMEOUT';
}
