import { jsonLanguage } from '@codemirror/lang-json'
import type { EditorView } from '@codemirror/view'
import { useMemo, useRef } from 'react'
import { t } from '../../../ground/i18n/translate.ts'
import { Icon } from '../../../ground/kit/icon/icon.tsx'
import { CodeEditor, type CodeEditorProps } from './code-editor.tsx'
import classes from './json-editor.module.css'
import { type JsonProblem, jsonProblems } from './json-problems.ts'

/** A JSON editor with a list of problems; clicking one moves the cursor to it. */
export default function JsonEditor(props: CodeEditorProps) {
  const { value } = props
  const view = useRef<EditorView>(undefined)
  const problems = useMemo(() => jsonProblems(value), [value])

  function show(position: number) {
    view.current?.dispatch({ selection: { anchor: position }, scrollIntoView: true })
    view.current?.focus()
  }

  return (
    <div className={classes.editor}>
      <CodeEditor {...props} language={jsonLanguage} view={view} isInvalid={problems.length > 0} />
      {problems.length > 0 && (
        <ul className={classes.problems} aria-label={t('json.problems')}>
          {problems.map((problem) => (
            <li key={problem.position}>
              <button type="button" className={classes.problem} onClick={() => show(problem.position)}>
                <Icon name="circle-alert" size="s" />
                {wordsOf(problem)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function wordsOf({ line, column, number }: JsonProblem): string {
  if (number === undefined) return t('json.problem', { line, column })
  const { written, kept } = number
  if (kept === undefined) return t('json.tooLarge', { line, written })
  return t('json.inexact', { line, written, kept })
}
