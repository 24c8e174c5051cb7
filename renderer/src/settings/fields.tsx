import { useId, useState } from 'react';
import type { ReactNode } from 'react';

/** A titled group of settings. */
export function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="panel">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

export function Switch({ label, isOn, onChange }: { label: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <label className="check">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly words: string }[];
  readonly hint?: string;
  readonly onChange: (value: T) => void;
}

export function Choice<T extends string>({ label, value, options, hint, onChange }: ChoiceProps<T>) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} aria-describedby={hint === undefined ? undefined : `${id}-hint`} onChange={(event) => onChange(event.target.value as T)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.words}
          </option>
        ))}
      </select>
      {hint !== undefined && (
        <p className="meta" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface TextFieldProps<T> {
  readonly label: string;
  /** The stored value as a person types it. */
  readonly value: string;
  readonly parse: (text: string) => T | undefined;
  readonly problem: string;
  readonly hint?: string;
  /** Shown while the field is empty: what that means. */
  readonly placeholder?: string;
  readonly suggestions?: readonly string[];
  readonly onSave: (value: T) => void;
}

/** A typed value: checked while typing, saved when left or on Enter, never saved while wrong; Esc returns to what is stored. */
export function TextField<T>({ label, value, parse, problem, hint, placeholder, suggestions, onSave }: TextFieldProps<T>) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? value;
  const parsed = parse(text);
  const isBad = parsed === undefined;
  const save = () => {
    if (typed === null || isBad) return;
    setTyped(null);
    if (typed.trim() !== value) onSave(parsed);
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        value={text}
        placeholder={placeholder}
        list={suggestions ? `${id}-list` : undefined}
        aria-invalid={isBad}
        aria-describedby={`${id}-hint`}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save();
          if (event.key === 'Escape') setTyped(null);
        }}
      />
      {suggestions && (
        <datalist id={`${id}-list`}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
      <p id={`${id}-hint`} className={isBad ? 'problem' : 'meta'} role={isBad ? 'alert' : undefined} hidden={!isBad && hint === undefined}>
        {isBad ? problem : hint}
      </p>
    </div>
  );
}
