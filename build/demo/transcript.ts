/** Who speaks in the transcript. */
export type Speaker = 'demo' | 'agent' | 'person' | 'phone';

const LINE_LIMIT = 300;

/** Prints one line of the play; long ones are cut, this is to be read by a person. */
export function tell(speaker: Speaker, line: string): void {
  const shown = line.length > LINE_LIMIT ? `${line.slice(0, LINE_LIMIT)} …` : line;
  console.log(`${speaker.padStart(6)} │ ${shown}`);
}

/** Prints something to be copied, without the frame that would come along. */
export function show(title: string, text: string): void {
  console.log(`\n${title}\n\n${text.replace(/^/gm, '    ')}\n`);
}
