import type { Socket } from 'node:net';
import { encodeServiceError } from '../../wire/refusals.ts';
import { serviceCodes } from '../../wire/serviceError.ts';

interface ClientFault {
  readonly status: string;
  readonly code: string;
  readonly message: string;
}

const faults: Readonly<Record<string, ClientFault>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: serviceCodes.requestTimeout,
    message: 'The request took too long to arrive.',
  },
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: serviceCodes.headersTooLarge,
    message: 'The path and the headers of the request are too long. Send fewer or shorter headers.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: '413 Content Too Large',
    code: serviceCodes.tooLarge,
    message: 'The chunk extensions of the request are too long.',
  },
};

const notHttp: ClientFault = {
  status: '400 Bad Request',
  code: serviceCodes.badRequest,
  message: 'The request is not well-formed HTTP/1.1.',
};

/** Answers a client that has sent no complete request, and closes the connection. */
export function answerFaultyClient(errorCode: string | undefined, socket: Socket): void {
  if (!socket.writable || errorCode === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, code, message } = faults[errorCode ?? ''] ?? notHttp;
  const body = encodeServiceError({ status: Number.parseInt(status, 10), code, message });
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
