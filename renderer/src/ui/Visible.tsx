import { useI18n } from '../i18n/I18n.tsx';
import { visiblePieces } from '../lib/visible.ts';

/** Untrusted text with everything invisible drawn as a badge. Keeps every other character as it is. */
export function Visible({ text, isSingleLine = false }: { text: string; isSingleLine?: boolean }) {
  const { t } = useI18n();
  return visiblePieces(text, isSingleLine).map((piece, index) =>
    piece.kind === 'plain' ? (
      piece.text
    ) : (
      <bdi key={index} className="odd" title={t('text.odd', { code: piece.code })}>
        {piece.code}
      </bdi>
    ),
  );
}

/** An untrusted name: one line of its own direction that cannot reorder what stands beside it. */
export function Name({ text }: { text: string }) {
  return (
    <bdi className="name">
      <Visible text={text} isSingleLine />
    </bdi>
  );
}
