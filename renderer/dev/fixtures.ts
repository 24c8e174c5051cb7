import type { ActivityRow, ChatRow, DraftCard, McpClientView } from '../../app/ipc/contract.ts';

/** Cards of every kind, with everything that could break a layout or hide something. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const PIXEL =
  'data:image/svg+xml;base64,' +
  btoa(
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="#cfe0ff"/><path d="M0 50L20 26l14 16 10-10 20 20v12H0z" fill="#2a5fd0"/></svg>',
  );

export function card(now: number, part: Partial<DraftCard> & Pick<DraftCard, 'id' | 'tool'>): DraftCard {
  return {
    status: 'pending',
    chat: { id: '0/0/a', name: 'Мария Соколова', kind: 'private', members: null, hint: null, isNameShared: false },
    client: { name: 'Claude Desktop', version: '1.4' },
    createdAt: now - 2 * MINUTE,
    expiresAt: now + 22 * HOUR,
    text: null,
    originalText: null,
    canEdit: false,
    mentions: [],
    reply: null,
    forward: null,
    target: null,
    file: null,
    vote: null,
    poll: null,
    outcome: null,
    finishedAt: null,
    ...part,
  };
}

const ivan = { guid: '6f1c2d3e-0001-4a5b-9c8d-aabbccddeeff', name: 'Иван Петров' };
const ivan2 = { guid: '6f1c2d3e-0002-4a5b-9c8d-aabbccdd1234', name: 'Иван Петров' };
const north = { id: '0/0/b', name: 'Проект «Север»', kind: 'group', members: 14, hint: null, isNameShared: false };

export function typicalCards(now: number): DraftCard[] {
  return [
    card(now, {
      id: 'd1',
      tool: 'send_message',
      createdAt: now - 30 * MINUTE,
      chat: { id: '0/0/a', name: 'Мария Соколова', kind: 'private', members: null, hint: 'отдел закупок', isNameShared: true },
      text: `Отчёт готов, лежит в общей папке. @${ivan.guid}, проверь, пожалуйста, раздел 3 до 18:00\u200b`,
      mentions: [ivan],
      canEdit: true,
      reply: { author: 'Мария', quote: 'Когда будет отчёт?', truncated: false },
    }),
    card(now, {
      id: 'd2',
      tool: 'edit_message',
      createdAt: now - 20 * MINUTE,
      chat: north,
      client: { name: 'Claude Code', version: null },
      text: 'Созвон переносим на четверг, 15:30, ссылка та же.',
      target: {
        author: 'Анна Котова',
        fromMe: true,
        timestamp: new Date(now - 3 * HOUR).toISOString(),
        text: 'Созвон переносим на среду, 11:00, ссылка та же.',
        attachments: [],
        readsCount: 3,
      },
      canEdit: true,
    }),
    card(now, {
      id: 'd3',
      tool: 'send_file',
      createdAt: now - 15 * MINUTE,
      file: {
        path: '/home/anna/Documents/Отчёты/график-Q3.png',
        name: 'график-Q3.png',
        sizeBytes: 421_888,
        mime: 'image/png',
        kind: 'image',
        width: 1280,
        height: 720,
        thumbnail: PIXEL,
      },
    }),
    card(now, {
      id: 'd4',
      tool: 'delete_message',
      createdAt: now - 10 * MINUTE,
      chat: north,
      target: {
        author: 'Анна Котова',
        fromMe: true,
        timestamp: new Date(now - 50 * HOUR).toISOString(),
        text: 'Пароль от стенда скину сюда',
        attachments: [],
        readsCount: 9,
      },
    }),
  ];
}

export function oddCards(now: number): DraftCard[] {
  return [
    card(now, {
      id: 'o1',
      tool: 'send_message',
      createdAt: now - 70 * MINUTE,
      chat: { id: '0/0/long', name: 'Очень длинное название чата '.repeat(18).slice(0, 500), kind: 'group', members: 1204, hint: null, isNameShared: false },
      client: { name: 'x\u202egnp.exe\u200b client with quite a long name of its own', version: null },
      text: 'مرحبا بالعالم — Привет, мир\nשלום עולם ⁦скрыто⁩ 👨‍👩‍👧‍👦👩🏽‍🚀🏳️‍🌈 ❤️ 1️⃣ a\u200db\u00a0c\u3164d\u{e0041}\n**жирный** `код` [ссылка](https://example.ru)',
      canEdit: true,
    }),
    card(now, {
      id: 'o2',
      tool: 'send_message',
      createdAt: now - 69 * MINUTE,
      text: `@${ivan.guid} и @${ivan2.guid}: ` + 'Слово за словом, строка за строкой. '.repeat(2800).slice(0, 99_900),
      mentions: [ivan, ivan2, { guid: 'hidden-guid', name: 'Пётр Скрытый' }],
      canEdit: true,
      originalText: 'Слово за словом, строка за строкой.',
    }),
    card(now, {
      id: 'o3',
      tool: 'forward_message',
      createdAt: now - 68 * MINUTE,
      text: 'Посмотри, это важно',
      forward: { chatName: 'Проект «Север»', author: 'Иван Петров', text: 'Релиз в пятницу, заморозка кода в среду.', attachments: ['план.pdf'] },
      canEdit: true,
    }),
    card(now, {
      id: 'o4',
      tool: 'vote_in_poll',
      createdAt: now - 67 * MINUTE,
      chat: north,
      expiresAt: now + 4 * MINUTE,
      vote: {
        question: 'Когда удобнее созвон?',
        options: [
          { text: 'Среда, 11:00', chosen: false },
          { text: 'Четверг, 15:30', chosen: true },
          { text: 'Всё равно', chosen: false },
        ],
        isAnonymous: false,
      },
    }),
    card(now, {
      id: 'o5',
      tool: 'create_poll',
      createdAt: now - 66 * MINUTE,
      chat: north,
      poll: { title: 'Что заказать на обед?', answers: ['Пицца', 'Суши', 'Ничего, я с собой'], isAnonymous: true, isMultiple: true },
    }),
    card(now, {
      id: 'o6',
      tool: 'send_file',
      createdAt: now - 65 * MINUTE,
      chat: { id: '0/0/none', name: null, kind: 'weird', members: null, hint: null, isNameShared: false },
      file: {
        path: '/home/anna/Downloads/תיקייה/invoice\u202efdp.exe',
        name: 'invoice\u202efdp.exe',
        sizeBytes: 52_428_800,
        mime: 'application/vnd.microsoft.portable-executable',
        kind: 'file',
        width: null,
        height: null,
        thumbnail: null,
      },
    }),
    card(now, { id: 'e1', tool: 'send_message', createdAt: now - 5, text: 'Готово!', status: 'committing' }),
    card(now, {
      id: 'e2',
      tool: 'send_message',
      createdAt: now - 4,
      text: 'Не ушло',
      status: 'failed',
      outcome: { status: 'failed', code: 'rate_limited', message: 'raw' },
      finishedAt: now,
    }),
    card(now, {
      id: 'e3',
      tool: 'send_message',
      createdAt: now - 3,
      text: 'Неизвестно',
      status: 'unknown',
      outcome: { status: 'unknown', code: null, message: 'raw' },
      finishedAt: now,
    }),
  ];
}

export function manyCards(now: number, count: number): DraftCard[] {
  return Array.from({ length: count }, (_, index) =>
    card(now, {
      id: `m${index}`,
      tool: 'send_message',
      createdAt: now - (count - index) * 1000,
      chat: {
        id: `0/0/${index}`,
        name: `Чат номер ${index + 1}`,
        kind: index % 3 ? 'private' : 'group',
        members: index % 3 ? null : index + 2,
        hint: null,
        isNameShared: false,
      },
      text: 'Строка текста. '.repeat(1 + (index % 17)),
      canEdit: true,
    }),
  );
}

export function chatRows(now: number, count: number): ChatRow[] {
  const names = ['Мария Соколова', 'Проект «Север»', 'Иван Петров', 'Обеды', 'Marketing', 'فريق التصميم', 'Мария Соколова', '👩‍🚀 Космос'];
  return Array.from({ length: count }, (_, index) => ({
    id: `0/0/${index}`,
    name: index === 9 ? 'Очень длинное название '.repeat(22).slice(0, 500) : (names[index] ?? `Чат ${index}`),
    kind: index % 3 === 1 ? 'group' : 'private',
    access: (['default', 'default', 'read_only', 'hidden', 'agent_confirms'] as const)[index % 5] ?? 'default',
    lastActivity: now - index * 37 * MINUTE,
    hint: index === 0 ? 'отдел закупок' : index === 6 ? 'бухгалтерия' : null,
  }));
}

const TOOLS = ['list_chats', 'get_history', 'send_message', 'search', 'edit_message', 'mark_read'];
const OUTCOMES = ['ok', 'ok', 'sent', 'draft', 'rejected', 'timeout', 'not_signed_in', 'unknown'];

export function activityRow(now: number, index: number): ActivityRow {
  return {
    id: String(index),
    at: now - index * 41_000,
    by: 'agent',
    client: index % 4 ? 'Claude Desktop' : 'Claude Code',
    tool: TOOLS[index % TOOLS.length] ?? 'search',
    chatId: index % 5 ? `0/0/${index % 7}` : null,
    chatName: index % 5 ? (['Мария Соколова', 'Проект «Север»', 'Иван Петров', 'Обеды', 'Marketing', 'فريق التصميم', null][index % 7] ?? null) : null,
    outcome: OUTCOMES[index % OUTCOMES.length] ?? 'ok',
    durationMs: 12 + ((index * 7919) % 3000),
  };
}

export const clientViews: McpClientView[] = [
  {
    id: 'claude-desktop',
    detected: true,
    configured: true,
    outdated: false,
    connected: true,
    configPath: '/home/anna/.config/Claude/claude_desktop_config.json',
    problem: null,
  },
  { id: 'claude-code', detected: true, configured: true, outdated: true, connected: false, configPath: '/home/anna/.claude.json', problem: null },
  { id: 'cursor', detected: true, configured: false, outdated: false, connected: false, configPath: '/home/anna/.cursor/mcp.json', problem: 'invalid_json' },
  { id: 'vscode', detected: false, configured: false, outdated: false, connected: false, configPath: '/home/anna/.config/Code/User/mcp.json', problem: null },
];
