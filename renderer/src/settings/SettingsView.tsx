export function SettingsView(_props: Record<string, unknown>) {
  return null;
}
