import { membershipTool } from './thread-membership.ts';

/** Subscribes the person to a thread. */
export const joinToThread = membershipTool({
  name: 'join_to_thread',
  title: 'Join a thread',
  description: 'Subscribes the person to a thread. Happens at once; leave_thread takes it back.',
  isJoining: true,
});
