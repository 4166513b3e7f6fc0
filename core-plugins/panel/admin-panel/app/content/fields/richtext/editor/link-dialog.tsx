import type { Editor } from '@tiptap/core'
import { type FormEvent, useId, useState } from 'react'
import { t } from '../../../../ground/i18n/translate.ts'
import { Button } from '../../../../ground/kit/button/button.tsx'
import { Checkbox } from '../../../../ground/kit/checkbox/checkbox.tsx'
import { Dialog } from '../../../../ground/kit/dialog/dialog.tsx'
import { TextField } from '../../../../ground/kit/field/text-field.tsx'
import classes from './visual-editor.module.css'

export interface LinkDialogProps {
  readonly editor: Editor
  readonly onClose: () => void
}

/** A dialog for the address of the selected text or of the link at the cursor. */
export function LinkDialog({ editor, onClose }: LinkDialogProps) {
  const form = useId()
  const link = editor.getAttributes('link')
  const present = typeof link.href === 'string' ? link.href : ''
  const [href, setHref] = useState(present)
  const [opensTab, setOpensTab] = useState(link.target === '_blank')
  const [problem, setProblem] = useState<string>()

  function finish(change: () => boolean) {
    if (!change()) return setProblem(t('richtext.badAddress'))
    onClose()
    // The dialog returns the focus to its opener, which may be the toolbar.
    requestAnimationFrame(() => editor.commands.focus())
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    // React events bubble from a dialog to the form around it.
    event.stopPropagation()
    finish(() => setLink(editor, href.trim(), opensTab ? '_blank' : null))
  }

  return (
    <Dialog
      title={t('richtext.link')}
      size="s"
      isOpen
      isUnsaved={href !== present}
      onClose={onClose}
      actions={
        <>
          {present !== '' && (
            <Button onPress={() => finish(() => editor.chain().extendMarkRange('link').unsetLink().run())}>
              {t('richtext.unlink')}
            </Button>
          )}
          <Button look="primary" type="submit" form={form} isDisabled={href.trim() === ''}>
            {t('richtext.takeOver')}
          </Button>
        </>
      }
    >
      <form id={form} className={classes.linkForm} onSubmit={submit}>
        <TextField
          label={t('richtext.address')}
          help={t('richtext.addressHelp')}
          problem={problem}
          value={href}
          onChange={setHref}
          autoComplete="off"
          autoFocus
        />
        <Checkbox label={t('richtext.newTab')} isSelected={opensTab} onChange={setOpensTab} />
      </form>
    </Dialog>
  )
}

/** Links the selection; if it is empty, inserts the address as text. */
function setLink(editor: Editor, href: string, target: string | null): boolean {
  const { empty } = editor.state.selection
  if (!empty || editor.isActive('link')) {
    return editor.chain().extendMarkRange('link').setLink({ href, target }).run()
  }
  const marks = [{ type: 'link', attrs: { href, target } }]
  return (
    editor.can().setLink({ href }) && editor.chain().insertContent({ type: 'text', text: href, marks }).run()
  )
}
