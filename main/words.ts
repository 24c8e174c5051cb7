/** What main itself says to the person: tray, notifications, login window, dialogs. The window has its own words. */
export type Language = 'ru' | 'en';

/** The language in force: the setting, or the system's, with English for all others. */
export function chooseLanguage(setting: 'system' | 'ru' | 'en', systemLanguage: string): Language {
  if (setting !== 'system') return setting;
  return systemLanguage.toLowerCase().split(/[-_]/)[0] === 'ru' ? 'ru' : 'en';
}

const en = {
  product: 'Vestnik',
  states: { signed_out: 'Signed out', signing_in: 'Signing in…', online: 'Online', reconnecting: 'Reconnecting…', paused: 'Agents are paused' },
  noDrafts: 'No drafts wait',
  drafts: { one: '{n} draft waits for you', few: '{n} drafts wait for you', many: '{n} drafts wait for you', other: '{n} drafts wait for you' },
  open: 'Open Vestnik',
  pause: 'Pause agents',
  signIn: 'Sign in…',
  signOut: 'Sign out',
  quit: 'Quit Vestnik',
  loginLabel: 'Sign in · Vestnik',
  draftTitle: 'A draft waits',
  draftBody: {
    write: 'An agent wants to write to {chat}',
    send_file: 'An agent wants to send a file to {chat}',
    edit_message: 'An agent wants to change a message in {chat}',
    delete_message: 'An agent wants to delete a message in {chat}',
    vote_in_poll: 'An agent wants to vote in {chat}',
    create_poll: 'An agent wants to start a poll in {chat}',
    forward_message: 'An agent wants to forward a message to {chat}',
  },
  unnamedChat: 'a chat',
  signInTitle: 'Sign in again',
  signInBody: 'Yandex ended the session. Agents cannot read or write until you sign in.',
  chooseFolder: 'Choose a folder',
  exportActivity: 'Export activity',
  connectionFailed: 'no connection, trying again',
};

export type Words = typeof en;

const ru: Words = {
  product: 'Вестник',
  states: { signed_out: 'Вы не вошли', signing_in: 'Выполняется вход…', online: 'На связи', reconnecting: 'Восстанавливаем связь…', paused: 'Агенты на паузе' },
  noDrafts: 'Черновиков нет',
  drafts: { one: '{n} черновик ждёт вас', few: '{n} черновика ждут вас', many: '{n} черновиков ждут вас', other: '{n} черновика ждут вас' },
  open: 'Открыть Вестник',
  pause: 'Пауза для агентов',
  signIn: 'Войти…',
  signOut: 'Выйти из аккаунта',
  quit: 'Закрыть Вестник',
  loginLabel: 'Вход · Вестник',
  draftTitle: 'Ждёт черновик',
  draftBody: {
    write: 'Агент хочет написать: {chat}',
    send_file: 'Агент хочет отправить файл: {chat}',
    edit_message: 'Агент хочет исправить сообщение: {chat}',
    delete_message: 'Агент хочет удалить сообщение: {chat}',
    vote_in_poll: 'Агент хочет проголосовать: {chat}',
    create_poll: 'Агент хочет создать опрос: {chat}',
    forward_message: 'Агент хочет переслать сообщение: {chat}',
  },
  unnamedChat: 'чат без названия',
  signInTitle: 'Войдите снова',
  signInBody: 'Яндекс завершил сеанс. Пока вы не войдёте, агенты не могут читать и писать.',
  chooseFolder: 'Выберите папку',
  exportActivity: 'Выгрузить журнал',
  connectionFailed: 'нет соединения, пробуем снова',
};

export function wordsFor(language: Language): Words {
  return language === 'ru' ? ru : en;
}

/** A count in words, with the language's own plural forms. */
export function countDrafts(language: Language, count: number): string {
  const rule = new Intl.PluralRules(language).select(count) as keyof Words['drafts'];
  const forms: Partial<Record<string, string>> = wordsFor(language).drafts;
  return (forms[rule] ?? wordsFor(language).drafts.other).replace('{n}', String(count));
}
