import { fileBody, imageBody, type Chat, type SimMessage } from './chat.ts';
import { demoFiles, fillLab, type DemoFiles } from './demo-lab.ts';
import { seededRandom } from './ids.ts';
import { World, type Person } from './world.ts';

/** Names of the demo world that the demo and tests may look for. */
export const DEMO = {
  me: 'Вера Вестникова',
  anna: 'Анна Смирнова',
  bob: 'Bob Miller',
  /** Two people have this name. */
  twins: 'Иван Петров',
  group: 'Релиз 4.2',
  lab: 'Лаборатория',
  channel: 'Новости компании',
  business: 'Пиццерия «Ёлочка»',
} as const;

export interface Demo {
  world: World;
  people: Record<'anna' | 'bob' | 'ivanDesign' | 'ivanSales' | 'semyon' | 'olga' | 'unnamed', Person>;
  chats: Record<
    | 'anna'
    | 'bob'
    | 'ivanDesign'
    | 'ivanSales'
    | 'semyon'
    | 'olga'
    | 'self'
    | 'release'
    | 'lab'
    | 'channel'
    | 'business'
    | 'sameName1'
    | 'sameName2'
    | 'foreign',
    Chat
  >;
  /** Messages of the lab, by what they show, and some of the other chats. */
  messages: Record<string, SimMessage>;
  files: DemoFiles;
}

const MINUTE_MS = 60_000;

/**
 * The demo world: the same people, ids and texts every time; only the hours move with the clock. It holds every kind of
 * message and every case of protocol §4, and on top a few conversations that look like somebody's day.
 */
export function buildDemo(): Demo {
  const now = Date.now();
  const ago = (minutes: number): number => (now - minutes * MINUTE_MS) * 1000 + 371;
  const world = new World({
    random: seededRandom(42),
    startMs: now - 3 * 24 * 60 * MINUTE_MS,
    // In the middle of all guids, so that one partner sorts before and another one after (protocol §1).
    me: { displayName: DEMO.me, nickname: 'vera', guid: '7d1f0a52-6c1e-4a7b-9c55-3a5d8e6b1f20', organizationIds: ['1001'] },
  });
  const { me } = world;
  const people = {
    anna: world.person({ displayName: DEMO.anna, nickname: 'anna', guid: '1b6f3c84-2d9e-4f0a-8b13-5e7c9a2d4f61' }),
    bob: world.person({ displayName: DEMO.bob, nickname: 'bob', guid: 'e4a97b15-8c3d-4e62-a0f9-2b6d1c8e7f34' }),
    ivanDesign: world.person({ displayName: DEMO.twins, nickname: 'ivan.petrov' }),
    ivanSales: world.person({ displayName: DEMO.twins, nickname: 'ipetrov2' }),
    semyon: world.person({ displayName: 'Семён Ёжиков', nickname: 'semyon' }),
    olga: world.person({ displayName: 'Ольга Лебедева', nickname: 'olga' }),
    unnamed: world.person({ displayName: 'Nobody Known', nickname: 'ghost', isNamed: false }),
  };
  const { anna, bob, ivanDesign, ivanSales, semyon, olga } = people;
  const crowd = ['Мария Котова', 'Пётр Орлов', 'Alice Brown', 'Chen Wei', 'Дмитрий Зайцев', 'Елена Фёдорова', 'Sam O’Neill'].map((displayName) =>
    world.person({ displayName }),
  );
  const files = demoFiles(world);
  const messages: Record<string, SimMessage> = {};

  const lab = world.group({
    name: DEMO.lab,
    members: [anna, bob, semyon, ...crowd],
    admins: [anna],
    inviteHash: 'lab-invite',
    description: 'Все виды сообщений',
  });
  Object.assign(messages, fillLab(world, lab, [anna, bob, semyon, ...crowd], people.unnamed, files));

  const self = world.self();
  self.say(me, 'Купить кофе и фильтры', { at: ago(2000) });
  self.say(me, fileBody(files.pdf), { at: ago(1990) });

  const channel = world.channel({ name: DEMO.channel, members: crowd, admins: [olga], alias: 'news', description: 'Главное за неделю' });
  messages['news'] = channel.say(olga, 'Переезжаем на новый этаж в пятницу. Коробки выдаст офис-менеджер.', { at: ago(1500) });
  world.thread(channel, messages['news'].ts).say(anna, 'А парковка останется?', { at: ago(1490) });
  channel.say(olga, 'Friday demo starts at 16:00, room Baikal.', { at: ago(300) });

  const business = world.business({ name: DEMO.business, members: [olga] });
  messages['business'] = business.say(olga, 'Ваш заказ готов к выдаче.', { at: ago(4000) });
  business.read(me);

  const sameName1 = world.group({ name: 'Проект', members: [anna, bob] });
  sameName1.say(anna, 'Первый «Проект»', { at: ago(3000) });
  const sameName2 = world.group({ name: 'Проект', members: [olga], trackReads: false });
  sameName2.say(olga, 'Второй «Проект»', { at: ago(2900) });
  for (const chat of [sameName1, sameName2]) chat.read(me);

  const withSemyon = world.privateChat(semyon);
  withSemyon.say(semyon, 'Ёжик прилетел, документы у меня.', { at: ago(900) });
  messages['privateRoot'] = withSemyon.say(me, 'Отлично, забегу после обеда', { at: ago(895) });
  world.thread(withSemyon, messages['privateRoot'].ts).say(semyon, 'Только до пяти!', { at: ago(890) });
  const withIvanDesign = world.privateChat(ivanDesign);
  withIvanDesign.say(ivanDesign, 'Макеты карточек в папке «Дизайн».', { at: ago(700) });
  const withIvanSales = world.privateChat(ivanSales);
  withIvanSales.say(ivanSales, 'Клиент просит скидку 10%, что отвечаем?', { at: ago(650) });
  const withOlga = world.privateChat(olga);
  withOlga.say(olga, 'Не забудьте про отпускной график', { at: ago(610) });
  withOlga.say(me, 'Уже заполнила', { at: ago(600) });
  withOlga.read(olga);
  for (const chat of [withSemyon, withIvanDesign]) chat.read(me);
  const muted = withIvanDesign.members.get(me.guid);
  if (muted) muted.muted = true;

  const release = world.group({ name: DEMO.group, members: [anna, bob, semyon], admins: [me], inviteHash: 'release-42', description: 'Выпуск 4.2' });
  messages['green'] = release.say(bob, 'Build 417 is green on all three systems.', { at: ago(95) });
  release.say(anna, 'Ура! Тогда замораживаем ветку в шесть.', { at: ago(92) });
  release.react(me, messages['green'], 128_077);
  release.say(semyon, imageBody(files.photo, 1600, 900), { at: ago(80) });
  release.read(me);
  release.say(bob, 'Who writes the release notes?', { at: ago(34) });
  release.say(anna, `@${me.guid} возьмёшь?`, { at: ago(31), mentions: [me] });

  const withBob = world.privateChat(bob);
  withBob.say(me, 'Are you joining the call at four?', { at: ago(58) });
  withBob.say(bob, 'Yes, five minutes late.', { at: ago(55) });
  withBob.read(me);

  const withAnna = world.privateChat(anna);
  withAnna.say(anna, 'Вера, привет! Как прошла встреча с подрядчиком?', { at: ago(190) });
  withAnna.say(me, 'Хорошо, договорились по срокам. Расскажу подробнее вечером.', { at: ago(186) });
  withAnna.read(anna);
  withAnna.say(anna, 'Супер 🎉', { at: ago(185) });
  withAnna.read(me);
  withAnna.say(anna, 'Пришлёшь, пожалуйста, отчёт за неделю?', { at: ago(12) });
  messages['question'] = withAnna.say(anna, 'Хотя бы черновик — до шести, мне нести его Ольге.', { at: ago(11) });

  const foreign = world.group({ name: 'Чужая группа', members: [anna, bob], withMe: false, inviteHash: 'foreign-invite' });
  foreign.say(anna, 'Веры здесь нет', { at: ago(500) });
  world.isScripting = false;
  return {
    world,
    people,
    chats: {
      anna: withAnna,
      bob: withBob,
      ivanDesign: withIvanDesign,
      ivanSales: withIvanSales,
      semyon: withSemyon,
      olga: withOlga,
      self,
      release,
      lab,
      channel,
      business,
      sameName1,
      sameName2,
      foreign,
    },
    messages,
    files,
  };
}
