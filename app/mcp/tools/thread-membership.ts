import { z } from 'zod';
import { changeThreadMembership } from '../../messenger/writing/index.ts';
import { defineTool, invalidArgument, resultOf, type Tool } from '../tool.ts';
import { appliedResult, formStatusOutput, REVERSIBLE, told } from './write-support.ts';

/** What joining and leaving a thread share; each undoes the other. */
export function membershipTool(definition: { name: string; title: string; description: string; isJoining: boolean }): Tool {
  const { name, title, description, isJoining } = definition;
  return defineTool({
    name,
    title,
    description,
    effect: 'reversible',
    input: z.strictObject({ thread_id: z.string().min(1).max(2000).describe('thread_id as messages and get_thread give it') }),
    output: resultOf({ thread_id: z.string(), joined: z.boolean(), form_status: formStatusOutput }),
    annotations: REVERSIBLE,
    async run(args, context) {
      const chat = await context.chat(args.thread_id);
      if (chat.kind !== 'thread') throw invalidArgument('thread_id', 'is not a thread.', 'Pass the thread_id that a message or get_thread gives.');
      const applied = await told(() => changeThreadMembership(context.services.messenger, { threadId: chat.chatId, isJoining }, context));
      return appliedResult(applied, { thread_id: chat.chatId, form_status: 'documented' }, { joined: isJoining });
    },
  });
}
