import { describe, expect, it } from 'vitest';
import { LineSplitter } from '../../app/bridge/line-splitter.ts';

function splitter(maxLineBytes: number): { lines: string[]; overflows: () => number; push: (chunk: Buffer | string) => void } {
  const lines: string[] = [];
  let overflows = 0;
  const it = new LineSplitter(
    maxLineBytes,
    (line) => lines.push(line.toString('utf8')),
    () => overflows++,
  );
  return { lines, overflows: () => overflows, push: (chunk) => it.push(Buffer.from(chunk)) };
}

describe('lines from a stream of bytes', () => {
  it('come whole, however the stream is cut', () => {
    const text = 'первая 👩‍👩‍👧 строка\n\nвторая\r\nthird\n';
    const bytes = Buffer.from(text);
    for (let size = 1; size <= bytes.length; size++) {
      const { lines, push } = splitter(1000);
      for (let start = 0; start < bytes.length; start += size) push(bytes.subarray(start, start + size));
      expect(lines).toEqual(['первая 👩‍👩‍👧 строка', '', 'вторая\r', 'third']);
    }
  });

  it('keep their text when the next line comes', () => {
    const kept: Buffer[] = [];
    const it = new LineSplitter(
      100,
      (line) => kept.push(line),
      () => undefined,
    );
    it.push(Buffer.from('one\ntwo\nth'));
    it.push(Buffer.from('ree\n'));
    expect(kept.map(String)).toEqual(['one', 'two', 'three']);
  });

  it('may be exactly as long as the cap, and not one byte longer', () => {
    const { lines, overflows, push } = splitter(5);
    push('12345\n');
    expect([lines, overflows()]).toEqual([['12345'], 0]);
    push('123456\nnext\n');
    expect([lines, overflows()]).toEqual([['12345', 'next'], 1]);
  });

  it('go on after one that was too long, which is reported once', () => {
    const { lines, overflows, push } = splitter(10);
    for (let count = 0; count < 100; count++) push('x'.repeat(50));
    expect(overflows()).toBe(1);
    push('tail\nok\n');
    expect([lines, overflows()]).toEqual([['ok'], 1]);
  });

  it('are put together from single bytes without copying each byte a thousand times', () => {
    const { lines, push } = splitter(2_000_000);
    const byte = Buffer.from('x');
    for (let count = 0; count < 1_000_000; count++) push(byte);
    push('\n');
    expect(lines[0]).toHaveLength(1_000_000);
  });
});
