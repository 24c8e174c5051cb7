import { membershipTool } from './thread-membership.ts';

/** Ends the person's subscription to a thread. */
export const leaveThread = membershipTool({
  name: 'leave_thread',
  title: 'Leave a thread',
  description: "Ends the person's subscription to a thread. Happens at once; join_to_thread takes it back.",
  isJoining: false,
});
