import http from 'node:http';
import net from 'node:net';

/** A plain forward proxy on loopback (RFC 9110: absolute-form requests and CONNECT) that counts what goes through it. */
export interface ForwardProxy {
  readonly port: number;
  /** `CONNECT host:port` and `GET /path`, in order. */
  readonly seen: readonly string[];
  stop(): Promise<void>;
}

export async function startForwardProxy(): Promise<ForwardProxy> {
  const seen: string[] = [];
  const sockets = new Set<net.Socket>();
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '');
    seen.push(`${request.method ?? ''} ${url.pathname}`);
    const onward = http.request(url, { method: request.method ?? 'GET', headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.on('connect', (request, client: net.Socket, head: Buffer) => {
    seen.push(`CONNECT ${request.url ?? ''}`);
    const { hostname, port } = new URL(`http://${request.url ?? ''}`);
    const onward = net.connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      onward.pipe(client).pipe(onward);
    });
    onward.on('error', () => client.destroy());
    client.on('error', () => onward.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    seen,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
