import { seededRandom } from './ids.ts';
import { World } from './world.ts';

/** Names of the demo world that tests may look for. */
export const DEMO = { me: 'Вера Вестникова', anna: 'Анна Смирнова', group: 'Релиз 4.2' };

export function buildDemoWorld(): World {
  const world = new World({ random: seededRandom(42), startMs: Date.now() - 86_400_000, me: { displayName: DEMO.me, nickname: 'vera' } });
  const anna = world.person({ displayName: DEMO.anna, nickname: 'anna' });
  const bob = world.person({ displayName: 'Bob Miller', nickname: 'bob' });
  const chat = world.privateChat(anna);
  chat.say(anna, 'Привет! Пришлёшь отчёт?');
  chat.say(world.me, 'Да, вечером.');
  chat.say(anna, 'Спасибо!');
  const group = world.group({ name: DEMO.group, members: [anna, bob] });
  group.say(bob, 'Build 417 is green.');
  return world;
}
