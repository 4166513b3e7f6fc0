import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { Compartment, type Extension, Transaction } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { type RefObject, useEffect, useRef } from 'react'
import type { EditorSteps } from '../use-editor-steps.ts'
import classes from './code-editor.module.css'
import { highlighting } from './highlighting.ts'
import { theme } from './theme.ts'
import { typeOver } from './type-over.ts'

export interface CodeEditorProps {
  readonly value: string
  readonly onChange: (value: string) => void
  /** An accessible name, if there is no visible label. */
  readonly label?: string
  readonly labelledBy?: string
  readonly describedBy?: string | undefined
  readonly isInvalid?: boolean
  /** Undo and redo of the surrounding form; without it, the editor has its own history. */
  readonly steps?: EditorSteps
}

export interface LanguageProps extends CodeEditorProps {
  readonly language: Extension
  /** Receives the editor view, so that the caller can move the cursor. */
  readonly view?: RefObject<EditorView | undefined>
}

/** An editor for code. Tab moves on to the next control, so that keyboard users are not trapped in it. */
export function CodeEditor(props: LanguageProps) {
  const { value, label, labelledBy, describedBy, isInvalid = false } = props
  const host = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  latest.current = props
  const editor = useRef<Editor>(undefined)

  useEffect(() => {
    if (host.current === null) return
    const made = editorIn(host.current, latest)
    editor.current = made
    const { view } = latest.current
    if (view !== undefined) view.current = made.view
    return () => made.view.destroy()
  }, [])
  useEffect(() => {
    const view = editor.current?.view
    if (view === undefined || view.state.doc.toString() === value) return
    const changes = { from: 0, to: view.state.doc.length, insert: value }
    view.dispatch({ changes, annotations: Transaction.remote.of(true) })
  }, [value])
  useEffect(() => {
    const attributes = {
      ...(label === undefined ? {} : { 'aria-label': label }),
      ...(labelledBy === undefined ? {} : { 'aria-labelledby': labelledBy }),
      ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
      'aria-invalid': String(isInvalid),
    }
    editor.current?.configure(EditorView.contentAttributes.of(attributes))
  }, [label, labelledBy, describedBy, isInvalid])
  return <div ref={host} className={classes.host} data-invalid={isInvalid || undefined} />
}

interface Editor {
  readonly view: EditorView
  configure(extensions: Extension): void
}

function editorIn(parent: HTMLElement, latest: RefObject<LanguageProps>): Editor {
  const settings = new Compartment()
  const { value, language } = latest.current
  const view = new EditorView({
    parent,
    doc: value,
    extensions: [
      historyOf(latest),
      keymap.of(defaultKeymap),
      lineNumbers(),
      indentOnInput(),
      bracketMatching(),
      syntaxHighlighting(highlighting),
      theme,
      language,
      typeOver,
      EditorView.lineWrapping,
      EditorView.cspNonce.of(nonce()),
      settings.of([]),
      EditorView.updateListener.of(({ docChanged, state, transactions }) => {
        const isRemote = transactions.some((each) => each.annotation(Transaction.remote) === true)
        if (docChanged && !isRemote) latest.current.onChange(state.doc.toString())
      }),
    ],
  })
  return {
    view,
    configure: (extensions) => view.dispatch({ effects: settings.reconfigure(extensions) }),
  }
}

function historyOf(latest: RefObject<LanguageProps>): Extension {
  if (latest.current.steps === undefined) return [history(), keymap.of(historyKeymap)]
  const step = (name: keyof EditorSteps) => () => {
    latest.current.steps?.[name]()
    return true
  }
  return keymap.of([
    { key: 'Mod-z', run: step('undo') },
    { key: 'Mod-Shift-z', run: step('redo') },
    { key: 'Mod-y', run: step('redo') },
  ])
}

/** The nonce for CodeMirror's style elements, required by the page's Content Security Policy. */
const nonce = () => document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
