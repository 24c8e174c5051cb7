import { describe, expect, it } from 'vitest';
import { ForbiddenTransitionError, TooManyDraftsError, TRANSITIONS, transition, VerificationError, type DraftStatus } from '../../app/approvals/index.ts';
import { MAX_PENDING_DRAFTS, OPEN_POLICY, Policy } from '../../app/approvals/index.ts';
import { DiskDouble, LIFETIME_MS, newDraft, SENT, setUp } from './approvals-support.ts';

const STATUSES: DraftStatus[] = ['pending', 'committing', 'sent', 'failed', 'unknown', 'rejected', 'expired'];
const EVENTS = ['confirm', 'reject', 'expire', 'edit', 'committed', 'refused', 'uncertain', 'found'] as const;
const ALLOWED: Record<string, DraftStatus> = {
  'pending confirm': 'committing',
  'pending reject': 'rejected',
  'pending expire': 'expired',
  'pending edit': 'pending',
  'committing committed': 'sent',
  'committing refused': 'failed',
  'committing uncertain': 'unknown',
  'unknown found': 'sent',
};

describe('the state machine of a draft', () => {
  it.each(STATUSES.flatMap((status) => EVENTS.map((event) => [status, event] as const)))('%s + %s', (status, event) => {
    const expected = ALLOWED[`${status} ${event}`];
    if (expected) expect(transition(status, event)).toBe(expected);
    else expect(() => transition(status, event)).toThrow(ForbiddenTransitionError);
  });

  it('has no other way out', () => {
    expect(
      Object.entries(TRANSITIONS)
        .flatMap(([status, row]) => Object.keys(row).map((event) => `${status} ${event}`))
        .sort(),
    ).toEqual(Object.keys(ALLOWED).sort());
  });
});

describe('a draft', () => {
  it('sends nothing until somebody confirms', () => {
    const { approvals, operation } = setUp();
    const draft = approvals.create(newDraft(approvals));
    expect(draft.status).toBe('pending');
    expect(draft.token).toMatch(/^[\w-]{22}$/);
    expect(operation.pushes).toBe(0);
  });

  it('is committed once, however many clicks and callers there are', async () => {
    const { approvals, operation } = setUp();
    const { id } = approvals.create(newDraft(approvals));
    const results = await Promise.all([approvals.confirm(id, 'person'), approvals.confirm(id, 'person'), approvals.confirm(id, 'agent')]);
    expect(results.map((draft) => draft.status)).toEqual(['sent', 'sent', 'sent']);
    expect((await approvals.confirm(id, 'person')).status).toBe('sent');
    expect(operation.pushes).toBe(1);
  });

  it('says committing on disk before the push, and not before', async () => {
    const { approvals, operation, disk } = setUp();
    const { id } = approvals.create(newDraft(approvals));
    operation.verify = () => {
      expect(disk.written).toEqual(['pending']);
      return Promise.resolve();
    };
    operation.outcome = () => {
      expect(disk.written).toEqual(['pending', 'committing']);
      return Promise.resolve(SENT);
    };
    await approvals.confirm(id, 'person');
    expect(disk.written).toEqual(['pending', 'committing', 'sent']);
  });

  it('sends nothing when the journal cannot be written', async () => {
    const { approvals, operation, disk } = setUp();
    const { id } = approvals.create(newDraft(approvals));
    const save = disk.save.bind(disk);
    disk.save = (draft) => {
      if (draft.status === 'committing') throw new Error('disk full');
      save(draft);
    };
    const draft = await approvals.confirm(id, 'person');
    expect(draft).toMatchObject({ status: 'failed', outcome: { code: 'server_error' } });
    expect(operation.pushes).toBe(0);
  });

  it('is refused by name when its target has changed, and sends nothing', async () => {
    const { approvals, operation } = setUp();
    const { id } = approvals.create(newDraft(approvals));
    operation.verify = () => Promise.reject(new VerificationError('target_changed', 'The message was changed.', 'Make a new draft.'));
    expect(await approvals.confirm(id, 'person')).toMatchObject({ status: 'failed', outcome: { code: 'target_changed' } });
    expect(operation.pushes).toBe(0);
  });

  it('is told as unknown when anything breaks after the push may have left', async () => {
    const { approvals, operation } = setUp();
    const { id } = approvals.create(newDraft(approvals));
    operation.outcome = () => Promise.reject(new Error('socket gone'));
    expect((await approvals.confirm(id, 'person')).status).toBe('unknown');
  });

  it('lapses at its deadline and cannot be confirmed any more', async () => {
    const { approvals, operation, clock } = setUp();
    const { id } = approvals.create(newDraft(approvals));
    const seen: string[] = [];
    approvals.onChange((draft) => seen.push(draft.status));
    clock.advance(LIFETIME_MS + 5);
    expect(seen).toEqual(['expired']);
    await expect(approvals.confirm(id, 'person')).rejects.toThrow(ForbiddenTransitionError);
    expect(operation.pushes).toBe(0);
  });

  it('keeps its token good when the person changes the text', async () => {
    const { approvals } = setUp();
    const draft = approvals.create(newDraft(approvals));
    approvals.edit(draft.id, 'Добрый день');
    const call = { tool: draft.tool, chatId: draft.chat.id, fingerprint: draft.fingerprint };
    expect(approvals.checkConfirm(draft.token, call)).toMatchObject({ status: 'pending', editedText: 'Добрый день', payload: { text: 'Добрый день' } });
  });

  it('cannot be changed or rejected once it is being sent', async () => {
    const { approvals, operation } = setUp();
    const { id } = approvals.create(newDraft(approvals));
    let finish = () => {};
    operation.outcome = () => new Promise((resolve) => (finish = () => resolve(SENT)));
    const commit = approvals.confirm(id, 'person');
    expect(() => approvals.edit(id, 'другое')).toThrow(ForbiddenTransitionError);
    expect(() => approvals.reject(id)).toThrow(ForbiddenTransitionError);
    await new Promise(setImmediate);
    finish();
    expect((await commit).status).toBe('sent');
  });

  it('refuses the five mismatches by name', () => {
    const { approvals } = setUp();
    const draft = approvals.create(newDraft(approvals));
    const call = { tool: draft.tool, chatId: draft.chat.id, fingerprint: draft.fingerprint };
    const code = (token: string | undefined, change: Partial<typeof call>) => {
      try {
        approvals.checkConfirm(token, { ...call, ...change });
        return 'accepted';
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    expect(code(draft.token, {})).toBe('accepted');
    expect(code(undefined, {})).toBe('token_missing');
    expect(code('nonsense', {})).toBe('token_unknown');
    expect(code(draft.token, { tool: 'delete_message' })).toBe('op_mismatch');
    expect(code(draft.token, { chatId: '0/0/other' })).toBe('chat_mismatch');
    expect(code(draft.token, { fingerprint: approvals.fingerprint(draft.tool, draft.chat.id, { text: 'другое' }) })).toBe('args_changed');
  });

  it('is limited in number, with a clear refusal', () => {
    const { approvals } = setUp();
    for (let count = 0; count < MAX_PENDING_DRAFTS; count++) approvals.create(newDraft(approvals));
    expect(() => approvals.create(newDraft(approvals))).toThrow(TooManyDraftsError);
  });
});

describe('after a restart', () => {
  it('a pending draft is still pending and its token still good', async () => {
    const first = setUp();
    const draft = first.approvals.create(newDraft(first.approvals));
    const second = setUp(first.disk, first.clock);
    expect(second.approvals.requireToken(draft.token, draft.tool)).toEqual(draft);
    expect((await second.approvals.confirm(draft.id, 'person')).status).toBe('sent');
  });

  it('a crash while verifying leaves the draft pending', () => {
    const first = setUp();
    const { id } = first.approvals.create(newDraft(first.approvals));
    first.operation.verify = () => new Promise(() => {});
    void first.approvals.confirm(id, 'person');
    expect(setUp(first.disk, first.clock).approvals.get(id).status).toBe('pending');
  });

  it.each([
    ['sent, when reading finds it', SENT, 'sent'],
    ['unknown, when reading does not find it', { status: 'unknown', message: 'not found', nextStep: 'look' } as const, 'unknown'],
    ['committing still, when it cannot be read', undefined, 'committing'],
  ])('a crash in mid-push is told as %s, and nothing is pushed again', async (_title, found, expected) => {
    const first = setUp();
    const { id } = first.approvals.create(newDraft(first.approvals));
    first.operation.outcome = () => new Promise(() => {});
    void first.approvals.confirm(id, 'person');
    await new Promise(setImmediate);
    const second = setUp(first.disk, first.clock);
    second.operation.found = () => Promise.resolve(found);
    await second.approvals.reconcileOpen(new AbortController().signal);
    expect(second.approvals.get(id).status).toBe(expected);
    expect((await second.approvals.confirm(id, 'person')).status).toBe(expected);
    expect(second.operation.pushes).toBe(0);
  });

  it('a finished token replays its outcome', async () => {
    const first = setUp();
    const draft = first.approvals.create(newDraft(first.approvals));
    await first.approvals.confirm(draft.id, 'person');
    const second = setUp(first.disk, first.clock);
    expect(second.approvals.requireToken(draft.token, draft.tool)).toMatchObject({ status: 'sent', outcome: SENT });
    expect(second.operation.pushes).toBe(0);
  });
});

describe('waiting for the person', () => {
  const signal = new AbortController().signal;

  it('ends with the click', async () => {
    const { approvals } = setUp(new DiskDouble());
    const { id } = approvals.create(newDraft(approvals));
    const waiting = approvals.settle(id, { waitMs: 25_000, signal });
    await approvals.confirm(id, 'person');
    expect((await waiting).status).toBe('sent');
  });

  it('ends after its time with the draft still pending', async () => {
    const { approvals, clock } = setUp();
    const { id } = approvals.create(newDraft(approvals));
    const steps: number[] = [];
    const waiting = approvals.settle(id, { waitMs: 25_000, signal, onWaiting: (elapsed) => steps.push(elapsed) });
    await new Promise(setImmediate);
    clock.advance(25_000);
    expect((await waiting).status).toBe('pending');
    expect(steps.length).toBeGreaterThan(3);
  });

  it('is ended by the client without touching the draft', async () => {
    const { approvals } = setUp();
    const { id } = approvals.create(newDraft(approvals));
    const abort = new AbortController();
    const waiting = approvals.settle(id, { waitMs: 25_000, signal: abort.signal });
    await new Promise(setImmediate);
    abort.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    expect(approvals.get(id).status).toBe('pending');
  });

  it('looks once more for an unknown one, by reading', async () => {
    const { approvals, operation } = setUp();
    const { id } = approvals.create(newDraft(approvals));
    operation.outcome = () => Promise.resolve({ status: 'unknown', message: '?', nextStep: 'look' });
    await approvals.confirm(id, 'person');
    operation.found = () => Promise.resolve(SENT);
    expect((await approvals.settle(id, { waitMs: 25_000, signal })).status).toBe('sent');
    expect(operation.pushes).toBe(1);
  });
});

describe('several drafts let go at once', () => {
  it('of one chat are handed over in the order of the clicks, however long their checks take', async () => {
    const { approvals, operation } = setUp();
    const drafts = ['первый', 'второй', 'третий'].map((text) => approvals.create(newDraft(approvals, text)));
    const handedOver: unknown[] = [];
    const commit = operation.commit.bind(operation);
    operation.commit = (draft, context) => {
      handedOver.push(draft.payload['text']);
      return commit(draft, context);
    };
    let isFirst = true;
    operation.verify = () => {
      const wait = isFirst ? 30 : 0;
      isFirst = false;
      return new Promise((resolve) => setTimeout(resolve, wait));
    };
    await Promise.all(drafts.map(({ id }) => approvals.confirm(id, 'person')));
    expect(handedOver).toEqual(['первый', 'второй', 'третий']);
  });

  it('do not hold each other up when one of them is refused', async () => {
    const { approvals, operation } = setUp();
    const [first, second] = [approvals.create(newDraft(approvals)), approvals.create(newDraft(approvals))];
    operation.verify = (draft) => (draft.id === first.id ? Promise.reject(new VerificationError('target_changed', 'x', 'y')) : Promise.resolve());
    const results = await Promise.all([approvals.confirm(first.id, 'person'), approvals.confirm(second.id, 'person')]);
    expect(results.map(({ status }) => status)).toEqual(['failed', 'sent']);
  });
});

it('tells what was sent even when the disk refuses to note it', async () => {
  const { approvals, operation, disk } = setUp();
  const { id } = approvals.create(newDraft(approvals));
  const save = disk.save.bind(disk);
  disk.save = (draft) => {
    if (draft.status === 'sent') throw new Error('disk full');
    save(draft);
  };
  expect((await approvals.confirm(id, 'person')).status).toBe('sent');
  expect((await approvals.confirm(id, 'person')).status).toBe('sent');
  expect(operation.pushes).toBe(1);
  // The next start finds `committing` there and looks.
  expect(disk.written.at(-1)).toBe('committing');
});

it('a click on a draft that a crash left open looks for it instead of answering nothing', async () => {
  const first = setUp();
  const { id } = first.approvals.create(newDraft(first.approvals));
  first.operation.outcome = () => new Promise(() => undefined);
  void first.approvals.confirm(id, 'person');
  await new Promise(setImmediate);
  const second = setUp(first.disk, first.clock);
  second.operation.found = () => Promise.resolve(SENT);
  expect((await second.approvals.confirm(id, 'person')).status).toBe('sent');
  expect(second.operation.pushes).toBe(0);
});

it('a thread of a hidden chat stays hidden, whatever was chosen for the thread', () => {
  const state = { ...OPEN_POLICY, chats: { chat: 'hidden', thread: 'agent_confirms', other: 'read_only' } } as const;
  const policy = new Policy({ read: () => state, write: () => undefined }, (id) => ({ thread: 'chat', 'thread of other': 'other' })[id] ?? id);
  expect(['thread', 'thread of other', 'third'].map((id) => policy.accessOf(id))).toEqual(['hidden', 'read_only', 'default']);
});
