import { Suspense, useState } from 'react'
import { t } from '../../../../ground/i18n/translate.ts'
import { Button } from '../../../../ground/kit/button/button.tsx'
import { Dialog } from '../../../../ground/kit/dialog/dialog.tsx'
import { Skeleton } from '../../../../ground/kit/loading/loading.tsx'
import { lazyPart } from '../../../../ground/lazy/lazy-part.ts'

const HtmlEditor = lazyPart(() => import('../../code/html-editor.tsx'))

/** HTML of a node at a position of the document. */
export interface EditedHtml {
  readonly position: number
  readonly html: string
}

export interface HtmlDialogProps {
  readonly title: string
  readonly html: string
  readonly onSave: (html: string) => void
  readonly onClose: () => void
}

/** A dialog to edit the HTML of one part that the visual editor cannot show. */
export function HtmlDialog({ title, html, onSave, onClose }: HtmlDialogProps) {
  const [text, setText] = useState(html)
  return (
    <Dialog
      title={title}
      size="l"
      isOpen
      isUnsaved={text !== html}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('kit.cancel')}</Button>
          <Button look="primary" onPress={() => onSave(text)} isDisabled={text.trim() === ''}>
            {t('richtext.takeOver')}
          </Button>
        </>
      }
    >
      <Suspense fallback={<Skeleton lines={4} />}>
        <HtmlEditor value={text} onChange={setText} label={title} />
      </Suspense>
    </Dialog>
  )
}
