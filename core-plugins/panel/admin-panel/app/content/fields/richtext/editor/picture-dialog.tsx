import type { Editor } from '@tiptap/core'
import { type FormEvent, useId, useState } from 'react'
import { t } from '../../../../ground/i18n/translate.ts'
import { Button } from '../../../../ground/kit/button/button.tsx'
import { Dialog } from '../../../../ground/kit/dialog/dialog.tsx'
import { TextField } from '../../../../ground/kit/field/text-field.tsx'

export interface PictureDialogProps {
  readonly editor: Editor
  readonly onClose: () => void
}

/** A dialog for the alternative text of the selected picture. */
export function PictureDialog({ editor, onClose }: PictureDialogProps) {
  const form = useId()
  const present = String(editor.getAttributes('image').alt ?? '')
  const [alt, setAlt] = useState(present)

  function submit(event: FormEvent) {
    event.preventDefault()
    // React events bubble from a dialog to the form around it.
    event.stopPropagation()
    editor.commands.updateAttributes('image', { alt })
    onClose()
  }

  return (
    <Dialog
      title={t('richtext.picture')}
      size="s"
      isOpen
      isUnsaved={alt !== present}
      onClose={onClose}
      actions={
        <Button look="primary" type="submit" form={form}>
          {t('richtext.takeOver')}
        </Button>
      }
    >
      <form id={form} onSubmit={submit}>
        <TextField
          label={t('richtext.alt')}
          help={t('richtext.altHelp')}
          value={alt}
          onChange={setAlt}
          autoFocus
        />
      </form>
    </Dialog>
  )
}
