export function WelcomeView(_props: Record<string, unknown>) {
  return null;
}
