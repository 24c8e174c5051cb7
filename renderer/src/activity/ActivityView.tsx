export function ActivityView(_props: Record<string, unknown>) {
  return null;
}
