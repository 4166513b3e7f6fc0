import { Editor } from '@tiptap/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Writing } from '../../../../ground/i18n/writing.ts'
import type { EditorSteps } from '../../use-editor-steps.ts'
import type { VisualDocument } from '../html/open-html.ts'
import { extensionsWith } from './extensions.ts'
import type { EditedHtml } from './html-dialog.tsx'
import { pasteInto, type TakeFiles } from './paste/paste-into.ts'
import { replaceDocument } from './replace-document.ts'
import classes from './visual-editor.module.css'

export interface TiptapOptions {
  readonly opened: VisualDocument
  /** Language and direction of the text; must not change. */
  readonly writing: Writing
  readonly onChange: (html: string) => void
  readonly onEditOpaque: (edited: EditedHtml) => void
  readonly onLink: () => void
  readonly onFiles: TakeFiles
  readonly steps: EditorSteps
  readonly labelledBy: string
  readonly describedBy: string | undefined
}

/** Creates the editor in `host` once; its content follows `opened`. */
export function useTiptap(options: TiptapOptions): {
  readonly editor: Editor | undefined
  readonly host: RefObject<HTMLDivElement | null>
} {
  const { opened } = options
  const host = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<Editor>()
  const shown = useRef(opened)
  const latest = useRef(options)
  latest.current = options

  useEffect(() => {
    const made = editorIn(host.current, latest)
    shown.current = latest.current.opened
    setEditor(made)
    return () => made.destroy()
  }, [])
  useEffect(() => {
    if (editor === undefined || editor.isDestroyed || shown.current === opened) return
    shown.current = opened
    replaceDocument(editor, opened.content)
  }, [editor, opened])
  return { editor, host }
}

function editorIn(element: HTMLElement | null, latest: RefObject<TiptapOptions>): Editor {
  const { opened, writing, labelledBy, describedBy } = latest.current
  const editor: Editor = new Editor({
    element,
    content: opened.content,
    // The styles are in visual-editor.module.css: the page's Content Security Policy allows no injected ones.
    injectCSS: false,
    extensions: extensionsWith({
      onEditOpaque: (position, html) => latest.current.onEditOpaque({ position, html }),
      onLink: () => latest.current.onLink(),
      steps: { undo: () => latest.current.steps.undo(), redo: () => latest.current.steps.redo() },
    }),
    editorProps: {
      attributes: {
        class: classes.text ?? '',
        ...writing,
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-labelledby': labelledBy,
        ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
      },
      ...pasteInto(
        () => editor,
        (...files) => latest.current.onFiles(...files),
      ),
    },
    onUpdate: ({ editor }) => latest.current.onChange(latest.current.opened.write(editor.state.doc)),
  })
  return editor
}
