import { useLayoutEffect, useMemo, useRef } from 'react'
import readClasses from '../../entry/form/read-value.module.css'
import type { ReadValueProps } from '../../schema/field-kinds.ts'
import { useWriting } from '../use-writing.ts'
import { schema } from './editor/extensions.ts'
import classes from './editor/visual-editor.module.css'
import { openHtml, type VisualDocument } from './html/open-html.ts'
import { elementsToRead } from './html/read-elements.ts'

/** Renders HTML read-only; HTML that the visual editor cannot show without loss is shown as source. */
export default function ReadRichText({ path, value }: ReadValueProps) {
  const html = String(value)
  const opened = useMemo(() => openHtml(schema, html), [html])
  if (opened.kind === 'source') return <pre className={readClasses.source}>{html}</pre>
  return <ReadDocument path={path} content={opened.content} />
}

type ReadDocumentProps = Pick<ReadValueProps, 'path'> & Pick<VisualDocument, 'content'>

/** A document without an editor: only its links can take the focus. */
function ReadDocument({ path, content }: ReadDocumentProps) {
  const host = useRef<HTMLDivElement>(null)
  const writing = useWriting(path)
  useLayoutEffect(
    () => host.current?.replaceChildren(elementsToRead(schema.nodeFromJSON(content))),
    [content],
  )
  return <div ref={host} className={`${classes.text} ${classes.read}`} {...writing} />
}
