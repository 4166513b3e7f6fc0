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

/** The maximum length that the service accepts. */
const maxLength = 10_000

/** Notes of translators about a translation. */
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
