import { existsSync, lstatSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { Draft } from '../../app/approvals/index.ts';
import type { Core } from '../../app/core.ts';

/** The socket that stands for the person (design §8): JSON lines, one answer per request, in order of completion; an `id` is not echoed. */

const request = z.discriminatedUnion('op', [
  z.object({ op: z.literal('list') }),
  z.object({ op: z.literal('confirm'), id: z.string() }),
  z.object({ op: z.literal('reject'), id: z.string(), reason: z.string().optional() }),
  z.object({ op: z.literal('edit'), id: z.string(), text: z.string() }),
  z.object({ op: z.literal('chat'), chat_id: z.string(), access: z.enum(['hidden', 'read_only', 'default', 'agent_confirms']) }),
  z.object({ op: z.literal('mode'), mode: z.enum(['full', 'read_only', 'paused']) }),
]);

/** `sun_path` holds 104 bytes on macOS and 108 on Linux, with the closing zero. Node cuts a longer path silently. */
const MAX_PATH_BYTES = process.platform === 'darwin' ? 103 : 107;

/** Listens on a Unix socket; a dead one in its place is replaced. @throws Error naming what is wrong with the path: taken, too long, no socket */
export async function serveControl(socketPath: string, core: Core): Promise<Server> {
  const bytes = Buffer.byteLength(socketPath);
  if (bytes > MAX_PATH_BYTES)
    throw new Error(`--control: the path of a socket holds ${MAX_PATH_BYTES} bytes at most, and this one has ${bytes}: ${socketPath}`);
  if (!existsSync(path.dirname(socketPath))) throw new Error(`--control: there is no folder ${path.dirname(socketPath)}`);
  const present = lstatSync(socketPath, { throwIfNoEntry: false });
  if (present && !present.isSocket()) throw new Error(`--control: ${socketPath} is there already and is not a socket; it was left as it is`);
  if (present && (await isAlive(socketPath))) throw new Error(`--control: another program listens on ${socketPath}`);
  rmSync(socketPath, { force: true });
  const server = createServer((socket) => serveClient(socket, core));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(socketPath, resolve));
  return server;
}

function isAlive(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

function serveClient(socket: Socket, core: Core): void {
  socket.on('error', () => socket.destroy());
  // Answers keep the order of the requests, so that a plain client can pair them.
  let answers = Promise.resolve();
  createInterface({ input: socket }).on('line', (line) => {
    if (line.trim() === '') return;
    const answer = answerTo(line, core);
    answers = answers.then(async () => {
      const body = await answer;
      if (socket.writable) socket.write(`${JSON.stringify(body)}\n`);
    });
  });
}

async function answerTo(line: string, core: Core): Promise<unknown> {
  try {
    const parsed = request.parse(JSON.parse(line));
    switch (parsed.op) {
      case 'list':
        return { drafts: core.approvals.list().map(describe) };
      case 'confirm': {
        const draft = await core.approvals.confirm(parsed.id, 'person');
        return { ok: true, ...describe(draft) };
      }
      case 'reject':
        return { ok: true, ...describe(core.approvals.reject(parsed.id, parsed.reason)) };
      case 'edit':
        return { ok: true, ...describe(core.approvals.edit(parsed.id, parsed.text)) };
      case 'chat':
        core.policy.setAccess([parsed.chat_id], parsed.access);
        return { ok: true };
      case 'mode':
        core.policy.setMode(parsed.mode);
        return { ok: true };
    }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function describe(draft: Draft) {
  const { id, status, tool, chat, client, payloadId, preview, createdAt, expiresAt, outcome, rejectReason, editedText } = draft;
  return {
    id,
    status,
    tool,
    chat_id: chat.id,
    chat_name: chat.name ?? null,
    chat_kind: chat.kind,
    client: client.name,
    ...(payloadId !== undefined && { payload_id: payloadId }),
    ...(preview.text !== undefined && { text: preview.text }),
    preview,
    ...(editedText !== undefined && { edited_by_person: true }),
    ...(rejectReason !== undefined && { reason: rejectReason }),
    ...(outcome && { outcome }),
    created_at: new Date(createdAt).toISOString(),
    expires_at: new Date(expiresAt).toISOString(),
  };
}
