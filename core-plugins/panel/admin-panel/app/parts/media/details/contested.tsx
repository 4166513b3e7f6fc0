import type { MediaFolderNode } from '../../../../../../../client/admin.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { findFolder, nameOfPath } from '../folders/folder-paths.ts'
import classes from './contested.module.css'
import type { ContestedWords } from './save-words.ts'
import { type Words, wordsOf } from './words.ts'

export interface ContestedProps {
  readonly contested: ContestedWords
  readonly tree: readonly MediaFolderNode[]
  readonly onTake: () => void
}

/** Shows values that another user has changed differently, with buttons to take them over. */
export function Contested({ contested: { theirs, names }, tree, onTake }: ContestedProps) {
  const words = wordsOf(theirs.file)
  return (
    <div className={classes.contested} role="alert">
      <p>{t('media.contested')}</p>
      <dl className={classes.theirs}>
        {names.map((name) => (
          <div key={name}>
            <dt className={classes.name}>{t(`media.${name}`)}</dt>
            <dd>{shownWord(words[name], tree)}</dd>
          </div>
        ))}
      </dl>
      <Button size="s" onPress={onTake}>
        {t('media.takeTheirs')}
      </Button>
    </div>
  )
}

/** Formats a value; only a folder is a number or null. */
function shownWord(word: Words[keyof Words], tree: readonly MediaFolderNode[]): string {
  if (typeof word === 'string') return word || t('diff.empty')
  const placed = word === null ? undefined : findFolder(tree, word)
  return placed === undefined ? t('media.noFolder') : nameOfPath(placed.path)
}
