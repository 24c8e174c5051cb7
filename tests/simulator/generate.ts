import type { Chat } from './chat.ts';
import type { Person } from './world.ts';

const OPENINGS = ['Добрый день', 'Смотри', 'By the way', 'Напоминаю', 'Looks good', 'Ещё раз', 'Кстати', 'Please check'];
const SUBJECTS = [
  'отчёт за неделю',
  'the release notes',
  'договор с подрядчиком',
  'план встречи',
  'build 417',
  'фотографии с пикника',
  'the budget',
  'список задач',
];

/** Fills a chat with `count` numbered messages `stepMs` apart, ending `endMsAgo` before now; speakers take turns. */
export function fillChat(chat: Chat, speakers: readonly Person[], count: number, options: { stepMs?: number; endMsAgo?: number } = {}): void {
  const stepMs = options.stepMs ?? 61_000;
  const end = Date.now() - (options.endMsAgo ?? 60_000);
  for (let i = 1; i <= count; i += 1) {
    const from = speakers[i % speakers.length] as Person;
    const text = `${OPENINGS[i % OPENINGS.length]}, ${SUBJECTS[(i * 7) % SUBJECTS.length]} (${i})`;
    chat.say(from, text, { at: (end - (count - i) * stepMs) * 1000 + (i % 997) });
  }
}
