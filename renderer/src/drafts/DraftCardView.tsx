import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ActionResult, DraftCard } from '../../../app/ipc/contract.ts';
import { act } from '../bridge.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { reasonFor } from '../lib/reasons.ts';
import { visibleString } from '../lib/visible.ts';
import { useFeedback } from '../ui/Feedback.tsx';
import { useGuardedCard } from '../ui/GuardProvider.tsx';
import { CardActions } from './CardActions.tsx';
import { CardBody } from './CardBody.tsx';
import { decisionContent, hasFoldedText } from './cards.ts';
import { EditForm } from './EditForm.tsx';
import { OutcomeLine, outcomeWords } from './OutcomeLine.tsx';
import { kindKey, Recipient } from './Recipient.tsx';
import { RejectForm } from './RejectForm.tsx';
import { WhoAsks } from './WhoAsks.tsx';

interface Props {
  readonly card: DraftCard;
  /** Changes when a notification or a link brought the person here. */
  readonly arrival: string;
  readonly isMarked: boolean;
  readonly isLeaving: boolean;
  readonly onPinned: (id: string, isPinned: boolean) => void;
  readonly onChanged: () => void;
}

/** One draft: who gets it, what goes out, who asks, and the decision. */
export function DraftCardView({ card, arrival, isMarked, isLeaving, onPinned, onChanged }: Props) {
  const { t } = useI18n();
  const { announce } = useFeedback();
  const headingId = useId();
  const foot = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const article = useRef<HTMLElement>(null);
  const outcome = useRef<HTMLParagraphElement>(null);
  const [mode, setMode] = useState<'decide' | 'edit' | 'reject'>('decide');
  const [isExpanded, setIsExpanded] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const content = useMemo(() => decisionContent(card), [card]);
  const isFolded = useMemo(() => hasFoldedText(card), [card]);
  // While the person writes, the card grows under their own hands: only a move of the whole card counts then.
  const guard = useGuardedCard(card.id, mode === 'decide' ? foot : head, `${arrival}${mode}${content}`);
  const isPending = card.status === 'pending';
  const words = outcomeWords(card, t);

  useEffect(() => onPinned(card.id, mode !== 'decide'), [onPinned, card.id, mode]);
  // Another text is another decision: what was unfolded or said of the old one no longer counts.
  const [decidedContent, setDecidedContent] = useState(content);
  if (decidedContent !== content) {
    setDecidedContent(content);
    setIsExpanded(false);
    setProblem(null);
  }
  // The buttons go when the draft ends; whoever stood on them stands on the outcome, not on nothing or on another card.
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    if (!isPending && hadFocus.current) outcome.current?.focus({ preventScroll: true });
  }, [isPending]);
  useEffect(() => {
    if (words !== undefined) announce(words);
  }, [announce, words]);

  const close = () => {
    setMode('decide');
    setProblem(null);
    requestAnimationFrame(() => foot.current?.querySelector<HTMLElement>(`[data-action="${mode}"]`)?.focus({ preventScroll: true }));
  };
  const run = async (action: Promise<ActionResult>, after?: () => void) => {
    setIsBusy(true);
    setProblem(null);
    const result = await action;
    setIsBusy(false);
    if (result.ok) after?.();
    else {
      const reason = reasonFor(result.code, result.detail);
      setProblem(t('reason.failed', { reason: t(reason.key, reason.values) }));
    }
    onChanged();
  };
  const confirm = () => run(act('drafts:confirm', { id: card.id, shownText: card.text }));
  const reject = (reason: string | null) => run(act('drafts:reject', { id: card.id, reason }), () => setMode('decide'));
  const save = (text: string) =>
    run(act('drafts:edit', { id: card.id, text }), () => {
      close();
      announce(t('edit.saved'));
    });

  return (
    <article
      ref={article}
      className="card"
      data-draft-id={card.id}
      data-status={card.status}
      data-tool={card.tool}
      data-marked={isMarked}
      data-leaving={isLeaving}
      data-guard={guard.isOpen ? 'open' : 'closed'}
      tabIndex={-1}
      aria-label={t('card.label', { kind: t(kindKey(card.tool)), chat: visibleString(card.chat.name ?? t('card.noName')) })}
      onFocus={() => {
        hadFocus.current = true;
      }}
      onBlur={(event) => {
        if (event.relatedTarget !== null) hadFocus.current = article.current?.contains(event.relatedTarget) ?? false;
      }}
      {...guard.handlers}
    >
      <div ref={head}>
        <Recipient card={card} headingId={headingId} />
      </div>
      {mode === 'edit' && isPending ? (
        <EditForm card={card} isSaving={isBusy} onSave={(text) => void save(text)} onClose={close} />
      ) : (
        <CardBody card={card} isFolded={isFolded} isExpanded={isExpanded} onExpand={() => setIsExpanded(true)} />
      )}
      {problem !== null && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <WhoAsks card={card} />
      <div ref={foot} className="foot">
        {!isPending && <OutcomeLine card={card} ref={outcome} />}
        {isPending && mode === 'reject' && <RejectForm onReject={(reason) => void reject(reason)} onClose={close} />}
        {isPending && mode === 'decide' && (
          <CardActions
            card={card}
            isReady={guard.isOpen}
            isBusy={isBusy}
            mustUnfold={isFolded && !isExpanded}
            onConfirm={() => void confirm()}
            onEdit={() => setMode('edit')}
            onReject={() => setMode('reject')}
          />
        )}
      </div>
    </article>
  );
}
