import { FeedbackProvider } from './ui/Feedback.tsx';
import { I18nProvider, resolveLanguage, resolveTimeZone } from './i18n/I18n.tsx';
import { Shell } from './Shell.tsx';
import { Unreachable } from './ui/Unreachable.tsx';
import { useRemote } from './bridge.ts';

/** Waits for the settings (they decide language and time zone), then shows the window. */
export function App() {
  const environment = useRemote('app:environment', undefined);
  const settings = useRemote('settings:get', undefined, 'settings:changed');
  const system = environment.value ?? { systemLanguage: navigator.language, systemTimeZone: 'UTC', platform: '', version: '' };
  const language = resolveLanguage(settings.value?.language ?? 'system', system.systemLanguage);
  const timeZone = resolveTimeZone(settings.value?.timeZone ?? 'system', system.systemTimeZone);
  const retry = () => {
    environment.reload();
    settings.reload();
  };
  return (
    <I18nProvider language={language} timeZone={timeZone}>
      <FeedbackProvider>
        {settings.value && environment.value ? (
          <Shell settings={settings.value} environment={environment.value} />
        ) : (
          (settings.hasFailed || environment.hasFailed) && <Unreachable onRetry={retry} />
        )}
      </FeedbackProvider>
    </I18nProvider>
  );
}
