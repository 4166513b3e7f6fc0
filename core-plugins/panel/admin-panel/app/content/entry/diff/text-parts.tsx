import { useState } from 'react'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import type { TextPart } from './change.ts'
import classes from './diff.module.css'
import { condense } from './words.ts'

export interface TextPartsProps {
  readonly parts: readonly TextPart[]
  readonly layout: DiffLayout
  readonly isCode?: boolean
}

/** Both versions in one text, or beside each other. */
export type DiffLayout = 'inline' | 'beside'

/** A text with additions and deletions marked; colour repeats what underlining and striking through say. */
export function TextParts({ parts, layout, isCode = false }: TextPartsProps) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? parts : condense(parts)
  const isCondensed = shown.some((part, index) => part !== parts[index])
  const shape = `${classes.text} ${isCode ? classes.code : ''}`
  // Code is always written from left to right.
  const dir = isCode ? 'ltr' : 'auto'
  return (
    <div className={classes.texts}>
      {layout === 'inline' ? (
        <div className={shape} dir={dir}>
          <Parts parts={shown} />
        </div>
      ) : (
        <div className={classes.beside}>
          <div className={shape} dir={dir}>
            <Parts parts={shown.filter(({ kind }) => kind !== 'added')} />
          </div>
          <div className={shape} dir={dir}>
            <Parts parts={shown.filter(({ kind }) => kind !== 'removed')} />
          </div>
        </div>
      )}
      {isCondensed && (
        <Button look="plain" size="s" icon="chevrons-up-down" onPress={() => setWhole(true)}>
          {t('diff.showAll')}
        </Button>
      )}
    </div>
  )
}

function Parts({ parts }: { readonly parts: readonly TextPart[] }) {
  return parts.map(({ kind, text }, index) => {
    // Parts are identified by position only, and the whole list is replaced at once.
    const key = `${index}-${kind}`
    if (kind === 'same') return <span key={key}>{text}</span>
    const Tag = kind === 'added' ? 'ins' : 'del'
    return (
      <Tag key={key} className={classes[kind]}>
        {text}
      </Tag>
    )
  })
}
