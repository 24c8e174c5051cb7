import { JsonFile } from './json-file.ts';

/** Remembers since when somebody is signed in: for show, and to tell "the session ended" from "nobody ever signed in". Holds no name and no cookie. */
export class SignInRecord {
  private readonly file: JsonFile;

  constructor(folder: string) {
    this.file = new JsonFile(folder, 'sign-in', 'sign_in_broken');
  }

  /** Milliseconds since the epoch, or undefined when nobody is signed in. */
  get since(): number | undefined {
    const since = this.file.all()['since'];
    return typeof since === 'number' && Number.isFinite(since) ? since : undefined;
  }

  begin(nowMs: number): void {
    if (this.since === undefined) this.file.set('since', nowMs);
  }

  end(): void {
    this.file.remove('since');
  }
}
