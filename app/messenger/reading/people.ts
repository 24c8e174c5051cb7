/** People by name and names by guid. */
import type { JsonObject } from '../../wire/index.ts';
import type { Call, PersonHit } from '../api.ts';
import { isServerRefusal } from '../errors.ts';
import { numberAt, objectsAt, isJsonObject, stringAt } from '../normalise/fields.ts';
import type { ReadingBase } from './base.ts';
import type { Search } from './search.ts';

const SEARCH_START = 50;
const NAMES_KEPT = 5000;

export class People {
  readonly #names = new Map<string, string>();

  constructor(
    private readonly base: ReadingBase,
    private readonly search: Search,
  ) {}

  /** The organization's directory (registry `search`, L). */
  async find(query: string, call: Call): Promise<PersonHit[]> {
    const { found } = await this.search.run({ query, entities: ['users'], startLimit: SEARCH_START }, call);
    return (found.users ?? []).flatMap(personHitOf);
  }

  /** Names by guid; whoever the server does not name is left out (registry `get_users_data`, B: a refusal leaves all out). */
  async namesOf(guids: readonly string[], call: Call): Promise<ReadonlyMap<string, string>> {
    const missing = [...new Set(guids)].filter((guid) => !this.#names.has(guid));
    if (missing.length > 0) {
      try {
        const data = await this.base.ports.wire.registry('get_users_data', { guids: missing }, call);
        const users = isJsonObject(data) ? objectsAt(data, 'users') : [];
        for (const hit of users.flatMap(personHitOf)) if (hit.name !== undefined) this.#names.set(hit.guid, hit.name);
        while (this.#names.size > NAMES_KEPT) this.#names.delete(this.#names.keys().next().value!);
      } catch (error) {
        if (!isServerRefusal(error)) throw error;
      }
    }
    return new Map(guids.flatMap((guid) => (this.#names.has(guid) ? [[guid, this.#names.get(guid)!] as const] : [])));
  }

  /** Somebody's name changed, or may have. */
  forget(): void {
    this.#names.clear();
  }
}

/** A person of the registry: snake case (protocol §4). */
export function personHitOf(user: JsonObject): PersonHit[] {
  const guid = stringAt(user, 'guid')?.toLowerCase();
  if (guid === undefined) return [];
  const uidNumber = numberAt(user, 'uid');
  const hint = [stringAt(user, 'position'), stringAt(user, 'department'), stringAt(user, 'nickname') ?? stringAt(user, 'email')]
    .filter((part) => part !== undefined)
    .join(', ');
  return [
    {
      guid,
      name: stringAt(user, 'display_name'),
      uid: stringAt(user, 'uid') ?? (uidNumber === undefined ? undefined : String(uidNumber)),
      ...(hint !== '' && { hint }),
    },
  ];
}
