import type { DraftCard } from '../../../app/ipc/contract.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { FileIcon } from '../ui/icons.tsx';
import { Name } from '../ui/Visible.tsx';

type CardFile = NonNullable<DraftCard['file']>;

/** "PNG" for what has a plain name of its own, else the media type. */
function typeWords(file: CardFile): string {
  const subtype = /^[a-z]+\/([a-z0-9]{2,5})$/.exec(file.mime)?.[1];
  return subtype === undefined ? file.mime : subtype.toUpperCase();
}

/** The file: picture or icon, name, type, size, and the full real path, each segment in its own direction. */
export function FilePart({ file }: { file: CardFile }) {
  const { t, size } = useI18n();
  const facts = [typeWords(file)];
  if (file.width !== null && file.height !== null) facts.push(t('card.pixels', { width: String(file.width), height: String(file.height) }));
  facts.push(size(file.sizeBytes));
  const segments = file.path.split(/([/\\])/);
  return (
    <div className="file">
      {file.thumbnail?.startsWith('data:image/') ? (
        <img className="thumb" src={file.thumbnail} alt={t('card.filePicture')} />
      ) : (
        <div className="thumb">
          <FileIcon />
        </div>
      )}
      <div>
        <strong>
          <Name text={file.name} />
        </strong>
        <p className="meta">{facts.join(', ')}</p>
        <code dir="ltr" title={t('card.filePath')}>
          {segments.map((segment, index) => (index % 2 === 1 ? segment : <Name key={index} text={segment} />))}
        </code>
      </div>
    </div>
  );
}
