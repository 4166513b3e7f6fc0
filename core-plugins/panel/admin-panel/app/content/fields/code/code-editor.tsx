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
  /** Names it, where no label of the page does. */
  readonly label?: string
  readonly labelledBy?: string
  readonly describedBy?: string | undefined
  readonly isInvalid?: boolean
  /** The history of the form around it; without one, the editor has its own. */
  readonly steps?: EditorSteps
}

export interface LanguageProps extends CodeEditorProps {
  readonly language: Extension
  /** Is told of the view, to lead to a place in the text. */
  readonly view?: RefObject<EditorView | undefined>
}

/** Text in a formal language. Tab leaves it, so that nobody who has no mouse is caught in it. */
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

/** For the style elements that CodeMirror adds: the policy of the page takes no others. */
const nonce = () => document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
