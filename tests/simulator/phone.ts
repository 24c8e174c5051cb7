import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Simulator } from './simulator.ts';

export async function servePhone(_sim: Simulator, _request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/html' }).end('soon');
}
