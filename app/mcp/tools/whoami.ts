import { z } from 'zod';
import { privateChatId } from '../../messenger/ids.ts';
import { numberAt, objectAt, stringAt } from '../../messenger/normalise/fields.ts';
import { defineTool, resultOf } from '../tool.ts';

export const whoami = defineTool({
  name: 'whoami',
  title: 'Who am I',
  description: "The signed-in person's own account: guid, name, and the chat_id of their notes chat («Избранное»/Saved).",
  effect: 'read',
  input: z.strictObject({}),
  output: resultOf({
    guid: z.string(),
    uid: z.string(),
    name: z.string(),
    nickname: z.string(),
    self_chat_id: z.string().describe('The chat with oneself'),
    time_zone: z.string().describe('Zone of all times in results'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run(_args, context) {
    const { messenger } = context.services;
    const identity = await messenger.directory.me(context);
    const info = objectAt(await messenger.ports.wire.read('whoami', {}, context), 'UserInfo');
    const guid = stringAt(info, 'Guid') ?? identity.guid;
    const name = stringAt(info, 'DisplayName') ?? identity.displayName;
    const nickname = stringAt(info, 'Nickname');
    const selfChatId = privateChatId(guid, guid);
    return {
      status: 'ok',
      guid,
      uid: stringAt(info, 'Uid') ?? numberAt(info, 'Uid')?.toString() ?? identity.uid,
      ...(name !== undefined && { name }),
      ...(nickname !== undefined && { nickname }),
      ...(!messenger.base.isHidden(selfChatId) && { self_chat_id: selfChatId }),
      time_zone: context.services.timeZone(),
    };
  },
});
