import busboy from 'busboy';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { Session } from './accounts.ts';
import { textOf, type Body, type Chat } from './chat.ts';
import { newGuid, newHex, parseThreadId } from './ids.ts';
import { clientMessage, serverMessageInfo } from './render.ts';
import type { SimState } from './state.ts';
import type { Person } from './world.ts';

/** The registry of protocol §5: HTTP RPC in a multipart form with one field. */

export class RegistryFailure extends Error {
  constructor(
    readonly code: string,
    readonly httpStatus = 200,
    readonly text?: string,
  ) {
    super(code);
  }
}

/** Methods that need X-CSRF-TOKEN (protocol §2, §5). */
const MUTATIONS = new Set(['request_user', 'join_to_thread', 'leave_thread', 'upload_to_disk', 'add_files', 'create_private_chat']);

/** Reads the multipart form: exactly one field `request`. Anything else is an error. */
export function readForm(request: IncomingMessage): Promise<{ method: string; params: Body }> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      request.resume();
      reject(new RegistryFailure('bad_request', 400, why));
    };
    if (!/^multipart\/form-data;/i.test(request.headers['content-type'] ?? '')) return fail('a multipart form is expected');
    const fields: [string, string][] = [];
    let hasFile = false;
    let parser: busboy.Busboy;
    try {
      parser = busboy({ headers: request.headers, limits: { fieldSize: 4 * 1024 * 1024 } });
    } catch (error) {
      return fail((error as Error).message);
    }
    parser.on('field', (name, value) => fields.push([name, value]));
    parser.on('file', (_name, stream) => {
      hasFile = true;
      stream.resume();
    });
    parser.on('error', (error: unknown) => fail(String(error)));
    parser.on('close', () => {
      if (hasFile || fields.length !== 1 || fields[0]?.[0] !== 'request') return fail('one field `request` is expected');
      try {
        const body = JSON.parse(fields[0][1]) as { method?: unknown; params?: unknown };
        if (typeof body.method !== 'string' || typeof body.params !== 'object' || body.params === null) return fail('{method, params} is expected');
        resolve({ method: body.method, params: body.params as Body });
      } catch {
        fail('`request` is not JSON');
      }
    });
    request.pipe(parser);
  });
}

function need<T>(schema: z.ZodType<T>, params: Body): T {
  const result = schema.safeParse(params);
  if (!result.success)
    throw new RegistryFailure('validation_error', 400, result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '));
  return result.data;
}

const fold = (text: string): string => text.toLowerCase().replaceAll('ё', 'е');

function user(person: Person): Body {
  return { guid: person.guid, display_name: person.displayName, uid: Number(person.uid), nickname: person.nickname, version: 1 };
}

function chatData(chat: Chat): Body {
  return {
    chat_id: chat.id,
    name: chat.name,
    description: chat.description ?? '',
    members_count: chat.members.size,
    ...(chat.inviteHash ? { invite_hash: chat.inviteHash } : {}),
    ...(chat.alias ? { alias: chat.alias } : {}),
    private: chat.isPrivate,
    version: 1,
  };
}

function search(state: SimState, viewer: Person, raw: Body): Body {
  const params = need(
    z.looseObject({
      query: z.string().min(1),
      limit: z.number().int().positive().max(state.settings.searchCeiling).optional(),
      entities: z.array(z.string()),
      chat_id: z.string().optional(),
      invite_hash: z.string().optional(),
    }),
    raw,
  );
  // `contacts` is thrown out by the server, which then complains about an empty list (protocol §4, L).
  const entities = params.entities.filter((entity) => entity !== 'contacts');
  if (entities.length === 0) throw new RegistryFailure('validation_error', 400, 'entities: the list is empty');
  const unknown = entities.find((entity) => !['messages', 'users', 'chats'].includes(entity));
  if (unknown) throw new RegistryFailure('validation_error', 400, `entities: ${unknown}`);
  const limit = params.limit ?? 5;
  const wanted = fold(params.query);
  const page = (items: Body[]): Body => ({ items: items.slice(0, limit), total: Math.min(items.length, limit), page: 0, pages: 1 });
  const visible = [...state.world.chats.values()].filter((chat) => chat.isVisibleTo(viewer));
  const result: Body = {};
  if (entities.includes('messages')) {
    const found = visible
      .filter(
        (chat) => (params.chat_id === undefined || chat.id === params.chat_id) && (params.invite_hash === undefined || chat.inviteHash === params.invite_hash),
      )
      .flatMap((chat) => chat.messages.filter((message) => !message.deleted && fold(textOf(message.body)).includes(wanted)))
      .sort((a, b) => b.ts - a.ts);
    result['messages'] = page(
      found.map((message) => ({ data: { ClientMessage: clientMessage(message), ServerMessageInfo: serverMessageInfo(message), ...message.siblings } })),
    );
  }
  if (entities.includes('users')) {
    const found = state.world.people.filter((person) => fold(person.displayName).includes(wanted) || fold(person.nickname) === wanted);
    result['users'] = page(found.map((person) => ({ data: { guid: person.guid, display_name: person.displayName, uid: Number(person.uid) } })));
  }
  if (entities.includes('chats')) {
    const found = visible.filter((chat) => !chat.isPrivate && chat.kind !== 'thread' && fold(chat.name).includes(wanted));
    result['chats'] = page(found.map((chat) => ({ data: { chat_id: chat.id, name: chat.name, members_count: chat.members.size } })));
  }
  return result;
}

function chatsInfo(state: SimState, viewer: Person, raw: Body): Body {
  const params = need(z.looseObject({ chat_ids: z.array(z.string()).optional(), invite_hash: z.string().optional(), alias: z.string().optional() }), raw);
  if (Object.values(params).filter((value) => value !== undefined).length !== 1)
    throw new RegistryFailure('validation_error', 400, 'one of chat_ids, invite_hash, alias');
  const all = [...state.world.chats.values()];
  if (params.chat_ids) {
    const found = params.chat_ids.map((id) => [id, state.world.chat(id)] as const);
    return {
      chats: found.flatMap(([, chat]) => (chat?.isVisibleTo(viewer) ? [chatData(chat)] : [])),
      errors: found.flatMap(([id, chat]) => (chat?.isVisibleTo(viewer) ? [] : [{ chat_id: id, code: 'chat_not_found' }])),
    };
  }
  const chat = all.find((each) =>
    params.invite_hash !== undefined ? each.inviteHash === params.invite_hash : each.alias !== undefined && each.alias === params.alias,
  );
  return chat ? { chats: [chatData(chat)], errors: [] } : { chats: [], errors: [{ code: 'chat_not_found' }] };
}

function members(state: SimState, viewer: Person, raw: Body): Body {
  const params = need(z.looseObject({ chat_id: z.string() }), raw);
  const chat = state.world.chat(params.chat_id);
  if (!chat?.isVisibleTo(viewer)) throw new RegistryFailure('chat_not_found', 404);
  return {
    users: [...chat.members.values()].map((member) => ({ ...user(member.person), role: member.isAdmin ? 'admin' : 'member' })),
    groups: [],
    departments: [],
  };
}

const MEDIA_KINDS: Readonly<Record<string, string>> = { Image: 'image', Gallery: 'gallery', MiscFile: 'file', Voice: 'voice' };

function media(state: SimState, viewer: Person, raw: Body): Body {
  const stamp = z.union([z.number().int(), z.string().regex(/^\d+$/)]);
  const params = need(
    z.looseObject({
      chat_id: z.string(),
      pivot_id: stamp.optional(),
      next: z.number().int().nonnegative().optional(),
      prev: z.number().int().nonnegative().optional(),
      types: z.array(z.string()).min(1),
      query: z.string().optional(),
    }),
    raw,
  );
  const chat = state.world.chat(params.chat_id);
  if (!chat?.isVisibleTo(viewer)) throw new RegistryFailure('chat_not_found', 404);
  const found = chat.messages.filter((message) => Object.keys(message.body).some((key) => key in MEDIA_KINDS) && !message.deleted);
  const pivot = params.pivot_id === undefined ? Infinity : Number(params.pivot_id) || Infinity;
  const older = found.filter((message) => message.ts < pivot);
  const newer = found.filter((message) => message.ts > pivot);
  const chosen = [...(params.prev ? older.slice(-params.prev) : []), ...newer.slice(0, params.next ?? 0)];
  return {
    messages: chosen.map((message) => ({ ClientMessage: clientMessage(message), ServerMessageInfo: serverMessageInfo(message) })),
    metadata: { has_prev: older.length > (params.prev ?? 0), has_next: newer.length > (params.next ?? 0) },
  };
}

function threadMember(state: SimState, viewer: Person, raw: Body, isJoining: boolean): Body {
  const { thread_id: id } = need(z.looseObject({ thread_id: z.string() }), raw);
  const parent = state.world.threadParent(id);
  if (!parseThreadId(id) || !parent?.chat.isMember(viewer)) throw new RegistryFailure('thread_not_found', 404);
  const thread = state.world.thread(parent.chat, parent.ts);
  if (isJoining) thread.join(viewer);
  else thread.leave(viewer);
  return { chat_member: { chat_id: id, guid: viewer.guid, role: isJoining ? 'member' : 'none', version: 1 } };
}

function uploadToDisk(state: SimState, viewer: Person, raw: Body): Body {
  const { files } = need(
    z.looseObject({
      files: z.array(z.looseObject({ name: z.string().min(1), upload_id: z.uuid(), size: z.number().int().nonnegative(), chat_id: z.string() })).min(1),
    }),
    raw,
  );
  return {
    files: files.map((file) => {
      const chat = state.world.chat(file.chat_id) ?? state.world.threadParent(file.chat_id)?.chat;
      if (!chat?.isVisibleTo(viewer)) throw new RegistryFailure('chat_not_found', 404);
      const token = newHex(12);
      state.uploads.set(token, { name: file.name, size: file.size, chatId: file.chat_id, person: viewer, location: undefined, fileId: undefined });
      return { upload_id: file.upload_id, upload_url: `${state.foreignOrigin}/upload-target/${token}` };
    }),
  };
}

function addFiles(state: SimState, viewer: Person, raw: Body): Body {
  const params = need(z.looseObject({ chat_id: z.string(), files: z.array(z.looseObject({ location: z.string() })).min(1) }), raw);
  return {
    files: params.files.map(({ location }) => {
      const upload = [...state.uploads.values()].find((each) => each.location === location && each.person === viewer && each.chatId === params.chat_id);
      if (!upload?.fileId) throw new RegistryFailure('file_not_found', 400);
      return { id: upload.fileId, location };
    }),
  };
}

type Handler = (state: SimState, viewer: Person, params: Body) => unknown;
const METHODS: Readonly<Record<string, Handler>> = {
  search,
  get_chats_info: chatsInfo,
  get_users_data: (state, _viewer, raw) => {
    const { guids } = need(z.looseObject({ guids: z.array(z.string()) }), raw);
    return { users: guids.flatMap((guid) => state.world.personByGuid(guid) ?? []).map(user) };
  },
  get_chat_members: members,
  list_contacts: (state, viewer, raw) => {
    need(z.looseObject({ version: z.number().int(), without_deleted: z.boolean().optional() }), raw);
    const partners = state.world.chatsOf(viewer).flatMap((chat) => (chat.kind === 'private' ? (chat.partnerOf(viewer) ?? []) : []));
    return partners.map((person) => ({ guid: person.guid, contact_name: person.displayName, deleted: false, version: 1 }));
  },
  get_media_messages: media,
  get_url_preview: (_state, _viewer, raw) => {
    const { url } = need(z.looseObject({ url: z.string(), format: z.literal('full') }), raw);
    return { url, title: 'A page', description: '' };
  },
  get_disk_info: (state) => ({ total_space: state.settings.quotaBytes, used_space: state.usedBytes, is_initialized: true }),
  get_organizations: (_state, viewer, raw) => {
    const { organization_ids: ids } = need(z.looseObject({ organization_ids: z.array(z.union([z.number().int(), z.string()])).min(1) }), raw);
    return {
      organizations: ids
        .filter((id) => viewer.organizationIds.includes(String(id)))
        .map((id) => ({ organization_id: Number(id), organization_name: `Organization ${id}` })),
    };
  },
  join_to_thread: (state, viewer, raw) => threadMember(state, viewer, raw, true),
  leave_thread: (state, viewer, raw) => threadMember(state, viewer, raw, false),
  upload_to_disk: uploadToDisk,
  add_files: addFiles,
  create_private_chat: (state, viewer, raw) => {
    const { guid } = need(z.looseObject({ guid: z.string() }), raw);
    const partner = state.world.personByGuid(guid);
    if (!partner) throw new RegistryFailure('user_not_found', 404);
    return { ...chatData(state.world.privateChat(partner, viewer)) };
  },
};

/** Answers one call; the session is valid by now. */
export function callRegistry(state: SimState, session: Session, csrf: string | undefined, method: string, params: Body): unknown {
  if (MUTATIONS.has(method) && !state.accounts.isCsrfToken(session, csrf)) throw new RegistryFailure('bad_csrf_token', 403);
  if (method === 'request_user') {
    need(z.looseObject({ bind_phone_number: z.boolean() }), params);
    if (!session.person) return { user: { guid: newGuid(), display_name: 'Guest', is_anonymous: true }, sign: newHex(16), ts: Math.floor(Date.now() / 1000) };
    return { user: { ...user(session.person), uid: state.settings.uidType === 'string' ? session.person.uid : Number(session.person.uid) } };
  }
  if (!session.person) throw new RegistryFailure('not_authorized', 401);
  const handler = METHODS[method];
  if (!handler) throw new RegistryFailure('unknown_method', 400);
  return handler(state, session.person, params);
}
