export function ChatsView(_props: Record<string, unknown>) {
  return null;
}
