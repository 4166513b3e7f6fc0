import { Suspense, useRef, useState } from 'react'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { Skeleton } from '../../../ground/kit/loading/loading.tsx'
import { lazyPart } from '../../../ground/lazy/lazy-part.ts'
import { FieldGroup } from '../../entry/form/field-group.tsx'
import { useField } from '../../entry/use-field.ts'
import type { FieldInputProps } from '../../schema/field-kinds.ts'
import { useEditorSteps } from '../use-editor-steps.ts'
import { useWriting } from '../use-writing.ts'
import { schema } from './editor/extensions.ts'
import { VisualEditor } from './editor/visual-editor.tsx'
import { openHtml, type SourceOnly } from './html/open-html.ts'
import classes from './rich-text.module.css'

const HtmlEditor = lazyPart(() => import('../code/html-editor.tsx'))

/**
 * A rich text field with a visual editor and a source view. Nothing is written until the user makes a change, and the visual
 * editor is offered only if it loses nothing.
 */
export default function RichTextInput({ path, frame }: FieldInputProps) {
  const { value, set, problem } = useField<string>(path)
  const steps = useEditorSteps(path)
  const writing = useWriting(path)
  const html = typeof value === 'string' ? value : ''
  const [opened, setOpened] = useState(() => openHtml(schema, html))
  const [isSourceWanted, wantSource] = useState(false)
  // The last value written here, to recognise changes from elsewhere (undo, a merge).
  const written = useRef(html)

  function show(next: string) {
    written.current = next
    setOpened(openHtml(schema, next))
  }

  function change(next: string) {
    written.current = next
    set(next === '' ? null : next)
  }

  if (html !== written.current && !isSourceWanted) show(html)
  const isSource = isSourceWanted || opened.kind === 'source'
  return (
    <FieldGroup {...frame} problem={problem}>
      {({ labelledBy, describedBy }) =>
        isSource ? (
          <div className={classes.source}>
            <SourceBar
              refusal={opened.kind === 'source' && !isSourceWanted ? opened : undefined}
              onVisual={() => {
                wantSource(false)
                show(html)
              }}
              onRepair={(repaired) => {
                change(repaired)
                show(repaired)
              }}
            />
            <Suspense fallback={<Skeleton lines={4} />}>
              <HtmlEditor
                value={html}
                onChange={(next) => {
                  change(next)
                  wantSource(true)
                }}
                labelledBy={labelledBy}
                describedBy={describedBy}
                steps={steps}
              />
            </Suspense>
          </div>
        ) : (
          <VisualEditor
            opened={opened}
            writing={writing}
            onChange={change}
            onSource={() => wantSource(true)}
            labelledBy={labelledBy}
            describedBy={describedBy}
            steps={steps}
          />
        )
      }
    </FieldGroup>
  )
}

interface SourceBarProps {
  readonly refusal: SourceOnly | undefined
  readonly onVisual: () => void
  readonly onRepair: (repaired: string) => void
}

/** The way back to the visual editor, or the reason why it would damage the text. */
function SourceBar({ refusal, onVisual, onRepair }: SourceBarProps) {
  return (
    <div className={classes.sourceBar}>
      {refusal === undefined ? (
        <p className={classes.mode}>{t('richtext.source')}</p>
      ) : (
        <p className={classes.refusal}>
          {t('richtext.refused')} <code>{refusal.difference}</code>
        </p>
      )}
      <Button
        size="s"
        icon={refusal === undefined ? 'eye' : 'wand-sparkles'}
        onPress={() => (refusal === undefined ? onVisual() : onRepair(refusal.repaired))}
      >
        {t(refusal === undefined ? 'richtext.visual' : 'richtext.repair')}
      </Button>
    </div>
  )
}
