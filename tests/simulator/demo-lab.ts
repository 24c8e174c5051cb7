import { fileBody, fileInfo, imageBody, type Body, type Chat, type SimMessage } from './chat.ts';
import { newGuid } from './ids.ts';
import type { Person, StoredFile, World } from './world.ts';

/** Files of the demo world. */
export interface DemoFiles {
  photo: StoredFile;
  pdf: StoredFile;
  voice: StoredFile;
  video: StoredFile;
}

/** 1×1 PNG. */
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

export function demoFiles(world: World): DemoFiles {
  return {
    photo: world.file('Закат над озером.png', PNG, 'image/png'),
    pdf: world.file('Договор №7 «Ёлка».pdf', '%PDF-1.4\n%demo\n', 'application/pdf'),
    voice: world.file('voice.ogg', 'OggS demo voice', 'audio/ogg'),
    video: world.file('demo.mp4', 'ftyp demo video', 'video/mp4'),
  };
}

const SYSTEM: readonly Body[] = [
  { ChatCreatedInfo: { Name: 'Лаборатория' } },
  { ChatInfoDiff: { NewName: 'Лаборатория', OldName: 'Lab' } },
  { CallInfo: { Duration: 62, CallStatus: 1, CallType: 2 } },
  { ParticipantsChangedDiff: { Added: [], Kicked: [] } },
  { ParticipantsChangedDiffV2: { Added: [], Removed: [] } },
  { UserAction: { Action: 1 } },
  { GenericMessage: { MessageText: 'Встреча начнётся через 15 минут' } },
  { MeetingStartedMessage: { MeetingId: 'm1' } },
  { MeetingEndedMessage: { MeetingId: 'm1', DurationSec: 1800 } },
  { PersonalMeetingEndedMessage: { MeetingId: 'm2' } },
];

/** Every kind of message and sibling of protocol §4, in one group; the handles are named by what they show. */
export function fillLab(world: World, lab: Chat, readers: readonly Person[], unnamed: Person, files: DemoFiles): Record<string, SimMessage> {
  const { me } = world;
  const [anna, bob, third] = readers as [Person, Person, Person];
  const made: Record<string, SimMessage> = {};
  SYSTEM.forEach((body, index) => {
    made[`system${index}`] = lab.say(anna, body, { envelope: 'SystemMessage' });
  });
  made['markdown'] = lab.say(bob, '**Important**: see `build 417`\n- one\n- two\n> quoted\n[link](https://example.org/?a=1&b=2)');
  made['bidi'] = lab.say(bob, 'invoice\u202Egpj.exe and zero\u200Bwidth \u2066isolated\u2069 text');
  made['emoji'] = lab.say(anna, '👨‍👩‍👧‍👦 🏳️‍🌈 🇫🇮 👍🏽 — семья');
  made['rtl'] = lab.say(third, 'שלום עולם، مرحبا');
  made['mention'] = lab.say(anna, `@${bob.guid} посмотри, пожалуйста, и ты, @${me.guid}`, { mentions: [bob, me] });
  made['mentionUnresolved'] = lab.say(anna, `@${unnamed.guid} и @${bob.guid}`, { mentions: [unnamed, bob, newGuid(world.random)] });
  made['reply'] = lab.say(me, 'Согласна', { replyTo: made['markdown'] as SimMessage });
  made['replyLong'] = lab.say(bob, 'Too long', { replyTo: lab.say(anna, 'Длинный текст. '.repeat(40)) });
  made['image'] = lab.say(anna, imageBody(files.photo, 1280, 853));
  made['file'] = lab.say(bob, fileBody(files.pdf));
  made['video'] = lab.say(bob, {
    MiscFile: {
      FileInfo: { ...fileInfo(files.video), Source: 1 },
      PreviewHint: { VideoPreview: { Width: 1920, Height: 1080, DurationMs: 12_500, BlurHash: 'LEHV6nWB2yk8' } },
    },
  });
  made['gallery'] = lab.say(anna, {
    Gallery: { Items: [imageBody(files.photo), imageBody(files.photo, 100, 200)] as Body[], Text: 'Два снимка' },
  });
  made['voice'] = lab.say(third, {
    Voice: { FileInfo: fileInfo(files.voice), Duration: 7, Text: 'перезвони мне вечером', WasRecognized: true, Waveform: 'AAECAw==' },
  });
  made['voiceRaw'] = lab.say(third, { Voice: { FileInfo: fileInfo(files.voice), Duration: 3, WasRecognized: false } });
  made['sticker'] = lab.say(bob, { Sticker: { Id: 'stickers/images/10004/cat', SetId: '10004' } });
  made['card'] = lab.say(anna, { Card: { Card: { title: 'Бронь', rows: [{ text: 'Столик на двоих, 19:30' }] } } });
  made['textCard'] = lab.say(anna, { Text: { MessageText: 'Смотри карточку', Card: { title: 'Card' } } });
  made['important'] = lab.say(bob, { Text: { MessageText: 'Server down' }, IsImportant: true, UrlPreviewDisabled: true, CustomPayload: { a: 1 } });
  made['ephemeral'] = lab.say(anna, 'only for a while', { envelope: 'Ephemeral' });
  made['unknownContent'] = lab.say(anna, { Hologram: { Depth: 3 } });
  made['noBody'] = lab.say(anna, {}, { envelope: 'none' });
  made['customFrom'] = lab.say(anna, 'От имени бота', { info: { CustomFrom: { DisplayName: 'Бот релизов' } } });
  made['forwardText'] = lab.say(bob, {}, { forward: [made['markdown'] as SimMessage] });
  made['forwardBlock'] = lab.say(me, 'Вот всё сразу', {
    forward: [made['image'] as SimMessage, made['file'] as SimMessage, made['emoji'] as SimMessage],
  });
  made['edited'] = lab.say(me, 'Опечтака');
  lab.edit(made['edited'], 'Опечатка исправлена');
  made['deleted'] = lab.say(me, 'Это лучше стереть');
  lab.delete(made['deleted']);
  made['poll'] = lab.say(bob, { Poll: { Title: 'Когда релиз?', Answers: ['Понедельник', 'Среда', 'Пятница'], MaxChoices: 1, IsAnonymous: false } });
  lab.vote(anna, made['poll'], [1]);
  lab.vote(third, made['poll'], [0]);
  made['pollMany'] = lab.say(anna, { Poll: { Title: 'Pizza?', Answers: ['Margherita', 'Funghi', 'Diavola'], MaxChoices: 3 } });
  lab.vote(bob, made['pollMany'], [0, 2]);
  lab.vote(me, made['pollMany'], [2]);
  made['pollAnonymous'] = lab.say(anna, { Poll: { Title: 'Устали?', Answers: ['Да', 'Нет'], MaxChoices: 1, IsAnonymous: true } });
  lab.vote(bob, made['pollAnonymous'], [0]);
  made['pollEmpty'] = lab.say(bob, { Poll: { Title: 'No votes yet', Answers: ['A', 'B'], MaxChoices: 2, IsAnonymous: false } });
  made['reactions'] = lab.say(me, 'Релиз готов 🎉');
  for (const person of readers.slice(0, 7)) lab.react(person, made['reactions'], 128_077);
  lab.react(bob, made['reactions'], 424_242);
  lab.react(me, made['reactions'], 10_084);
  made['threadRoot'] = lab.say(anna, 'Обсудим дизайн здесь');
  const thread = world.thread(lab, made['threadRoot'].ts);
  made['threadFirst'] = thread.say(bob, 'I like the second variant');
  made['threadReply'] = thread.say(me, 'Я тоже за второй', { replyTo: made['threadFirst'] });
  made['last'] = lab.say(me, 'Спасибо всем!');
  for (const person of readers.slice(0, 10)) lab.read(person);
  lab.pinnedTs = made['important'].ts;
  return made;
}
