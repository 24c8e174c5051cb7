import type { JsonObject } from '../../wire/index.ts';
import { isoFromMcs } from '../time.ts';
import type { Actor, Person } from '../model.ts';
import { mcsAt, objectAt, stringAt } from './fields.ts';

/** `UserInfo` as a person; undefined when it names nobody. */
export function personOf(info: JsonObject | undefined): Person | undefined {
  const guid = stringAt(info, 'Guid')?.toLowerCase();
  const name = stringAt(info, 'DisplayName');
  return guid === undefined && name === undefined ? undefined : { ...(guid !== undefined && { guid }), ...(name !== undefined && { name }) };
}

/** Time of an entry that carries `Timestamp`: ISO and microseconds, or nothing. */
export function momentOf(entry: JsonObject, timeZone: string): { timestamp?: string; timestamp_mcs?: string } {
  const mcs = mcsAt(entry, 'Timestamp');
  return mcs === undefined ? {} : { timestamp: isoFromMcs(mcs, timeZone), timestamp_mcs: mcs };
}

/** An entry `{Timestamp, UserInfo}` as who and when. */
export function actorOf(entry: JsonObject, timeZone: string): Actor {
  return { ...personOf(objectAt(entry, 'UserInfo')), ...momentOf(entry, timeZone) };
}
