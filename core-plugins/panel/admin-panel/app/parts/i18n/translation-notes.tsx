import { useState } from 'react'
import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { TextArea } from '../../ground/kit/field/text-field.tsx'
import { Popover } from '../../ground/kit/popover/popover.tsx'
import classes from './translation.module.css'

export interface TranslationNotesProps {
  readonly notes: string
  readonly isReadOnly: boolean
  readonly onSave: (notes: string) => void
}

/** As many characters as the service keeps. */
const maxLength = 10_000

/** What translators tell each other about a translation. */
export function TranslationNotes({ notes, isReadOnly, onSave }: TranslationNotesProps) {
  const [text, setText] = useState(notes)
  if (isReadOnly) return notes === '' ? null : <p className={classes.notes}>{notes}</p>
  const label = t('translation.notes')
  return (
    <>
      <Popover
        label={label}
        trigger={
          <Button icon="sticky-note">{t(notes === '' ? 'translation.addNotes' : 'translation.notes')}</Button>
        }
      >
        <div className={classes.noteForm}>
          <TextArea label={label} value={text} maxLength={maxLength} onChange={setText} />
          <Button isDisabled={text.trim() === notes} onPress={() => onSave(text.trim())}>
            {t('translation.saveNotes')}
          </Button>
        </div>
      </Popover>
      {notes !== '' && <p className={classes.notes}>{notes}</p>}
    </>
  )
}
