import { describe, expect, it } from 'vitest';
import { preparePoll } from '../../app/messenger/writing/create-poll.ts';
import { mentionedGuidsOf, viewOf } from '../../app/messenger/writing/target.ts';
import type { WritingDeps } from '../../app/messenger/writing/types.ts';

const TS = '1764500000000001';
const [ANNA, IVAN] = ['0b1c9a4e-6c2f-4d3a-9a10-5a1d3c2b4e01', '1b1c9a4e-6c2f-4d3a-9a10-5a1d3c2b4e02'];

describe('mentions that an edit keeps', () => {
  const view = (plain: object, beside: string[]) =>
    viewOf({
      chatId: '0/0/x',
      timestampMcs: TS,
      server: {
        ClientMessage: { Plain: { ChatId: '0/0/x', Text: { MessageText: 'x' }, ...plain } },
        ServerMessageInfo: { Timestamp: Number(TS) },
        MentionedUsers: beside.map((guid) => ({ Guid: guid, DisplayName: guid })),
      },
      myReactions: undefined,
      chatInfo: undefined,
    });

  it('are those of the body, in its order', () => {
    expect(mentionedGuidsOf(view({ MentionedUserIds: [IVAN, ANNA] }, [ANNA, IVAN]))).toEqual([IVAN, ANNA]);
  });

  it('are those named beside the body where the server leaves the ids out', () => {
    expect(mentionedGuidsOf(view({}, [ANNA]))).toEqual([ANNA]);
    expect(mentionedGuidsOf(view({}, []))).toEqual([]);
  });
});

it('a poll with half of a character is refused before anything is read', async () => {
  const untouched = {} as WritingDeps;
  const poll = { chatId: '0/0/x', isAnonymous: false, isMultiple: false };
  const call = { signal: new AbortController().signal };
  for (const [title, answers] of [
    ['a\ud800', ['a', 'b']],
    ['a', ['a', '\udc00b']],
  ] as const)
    await expect(preparePoll(untouched, { ...poll, title, answers }, call)).rejects.toMatchObject({ code: 'invalid_argument' });
});
