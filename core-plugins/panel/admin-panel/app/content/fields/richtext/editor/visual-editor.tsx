import { useState } from 'react'
import { t } from '../../../../ground/i18n/translate.ts'
import type { Writing } from '../../../../ground/i18n/writing.ts'
import { FilePicker } from '../../../files/file-picker.tsx'
import type { EditorSteps } from '../../use-editor-steps.ts'
import type { VisualDocument } from '../html/open-html.ts'
import { FormatToolbar } from './format-toolbar.tsx'
import { type EditedHtml, HtmlDialog } from './html-dialog.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { PictureDialog } from './picture-dialog.tsx'
import { insertLater, insertPictures } from './pictures.ts'
import { usePictureUpload } from './use-picture-upload.ts'
import { useTiptap } from './use-tiptap.ts'
import classes from './visual-editor.module.css'

export interface VisualEditorProps {
  readonly opened: VisualDocument
  readonly writing: Writing
  readonly onChange: (html: string) => void
  readonly onSource: () => void
  readonly steps: EditorSteps
  readonly labelledBy: string
  readonly describedBy: string | undefined
}

/** The dialog that is open over the text. */
type Asked = 'link' | 'library' | 'picture' | EditedHtml

/** The visual editor: rich text roughly as readers will see it, with a toolbar. */
export function VisualEditor({ onSource, ...props }: VisualEditorProps) {
  const [asked, ask] = useState<Asked>()
  const close = () => ask(undefined)
  const upload = usePictureUpload()
  const { editor, host } = useTiptap({
    ...props,
    onEditOpaque: ask,
    onLink: () => ask('link'),
    onFiles: (into, files, position, alt) => upload(files, insertLater(into, position, alt)),
  })
  return (
    <div className={classes.frame}>
      {editor !== undefined && (
        <FormatToolbar
          editor={editor}
          onLink={() => ask('link')}
          onPicture={() => ask(editor.isActive('image') ? 'picture' : 'library')}
          onSource={onSource}
        />
      )}
      <div ref={host} className={classes.host} />
      {editor !== undefined && asked === 'link' && <LinkDialog editor={editor} onClose={close} />}
      {editor !== undefined && asked === 'picture' && <PictureDialog editor={editor} onClose={close} />}
      {editor !== undefined && (
        <FilePicker
          isOpen={asked === 'library'}
          onClose={close}
          onPick={(files) => insertPictures(editor, files)}
          allowsMultiple
          allowedKinds={['images']}
        />
      )}
      {editor !== undefined && typeof asked === 'object' && (
        <HtmlDialog
          html={asked.html}
          title={t('richtext.editHtml')}
          onClose={close}
          onSave={(html) => {
            const { tr } = editor.state
            editor.view.dispatch(tr.setNodeAttribute(asked.position, 'html', html))
            close()
          }}
        />
      )}
    </div>
  )
}
