import { createContext, use, useCallback, useEffect, useMemo, useState } from 'react';
import type { ReactNode } from 'react';

/** Short words about what has just happened: shown for a moment at the foot of the window and read out. */
export interface Feedback {
  readonly say: (words: string, tone?: 'plain' | 'bad') => void;
  /** Read out only, for what is already visible elsewhere. */
  readonly announce: (words: string) => void;
}

const FeedbackContext = createContext<Feedback | null>(null);
const SHOWN_MS = 7000;

export function FeedbackProvider({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<{ words: string; tone: 'plain' | 'bad'; id: number } | null>(null);
  const [spoken, setSpoken] = useState('');
  const say = useCallback((words: string, tone: 'plain' | 'bad' = 'plain') => setToast((last) => ({ words, tone, id: (last?.id ?? 0) + 1 })), []);
  useEffect(() => {
    if (!toast) return undefined;
    const timer = setTimeout(() => setToast(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  const feedback = useMemo(() => ({ say, announce: setSpoken }), [say]);
  return (
    <FeedbackContext value={feedback}>
      {children}
      <div className="visually-hidden" role="status" aria-live="polite">
        {spoken}
      </div>
      <div className="toasts" role="status" aria-live="polite">
        {toast && (
          <p key={toast.id} className="toast" data-tone={toast.tone}>
            {toast.words}
          </p>
        )}
      </div>
    </FeedbackContext>
  );
}

export function useFeedback(): Feedback {
  const feedback = use(FeedbackContext);
  if (!feedback) throw new Error('no FeedbackProvider above');
  return feedback;
}
