import { Simulator, type SimulatorOptions } from './simulator.ts';

/** Starts a whole Messenger on loopback; `stop()` it in the test's own clean-up. */
export function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  return Simulator.start(options);
}

export { buildDemo, DEMO, type Demo } from './demo-world.ts';
export { Chat, fileBody, fileInfo, imageBody, textOf, type SayOptions, type SimMessage } from './chat.ts';
export { Faults, type FaultAction, type FaultRule } from './faults.ts';
export { newGuid, privateChatId, seededRandom, threadId } from './ids.ts';
export { Simulator, type SimProtocol, type SimulatorOptions } from './simulator.ts';
export type { LogEntry, PushEntry } from './log.ts';
export type { Settings } from './state.ts';
export { World, type Person } from './world.ts';
export { fillChat } from './generate.ts';
