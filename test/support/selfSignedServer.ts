import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface SelfSignedServer extends AsyncDisposable {
  readonly url: string;
  /** Number of requests that passed the handshake. */
  readonly requests: () => number;
}

export async function startSelfSignedServer(): Promise<SelfSignedServer> {
  let requests = 0;
  const server = createServer({ key, cert }, (_request, response) => {
    requests++;
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

// Made for this file alone: `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500
// -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1`. It guards nothing.
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgmrXEWhi63/j0KZEw
FkghRQSvA4+LA+qB2PNfxcSd/1ChRANCAAR7djAVCq8NOouhQGAaY/Ac9IVnsS2q
+ij5sI/N6jVN5YaKsJc/o3yJjjiiq2cDssOk27ZxsfWN1w/Xkdq2gZ+F
-----END PRIVATE KEY-----
`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBjzCCATagAwIBAgIUbLDLwAnlIeW2rYZ782YxVROR21EwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE0MjAyMloYDzIxMjYxMDI4
MTQyMDIyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAR7djAVCq8NOouhQGAaY/Ac9IVnsS2q+ij5sI/N6jVN5YaKsJc/o3yJ
jjiiq2cDssOk27ZxsfWN1w/Xkdq2gZ+Fo2QwYjAdBgNVHQ4EFgQU0yjMmj6/mmZ5
/qRaany+esreYzQwHwYDVR0jBBgwFoAU0yjMmj6/mmZ5/qRaany+esreYzQwDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0cAMEQC
IH8WelTXjn0UkVOD0SdgGPsJdiMT3tnFI51QWOkliY8GAiB+dFQawYtY5ALNb0ua
QjRWBqQo+TQCMPN5n0N4sVpGzQ==
-----END CERTIFICATE-----
`;
