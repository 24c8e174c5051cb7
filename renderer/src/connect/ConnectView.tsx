export function ConnectView(_props: Record<string, unknown>) {
  return null;
}
