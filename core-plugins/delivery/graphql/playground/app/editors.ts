import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language'
import { linter } from '@codemirror/lint'
import { EditorState, type Extension, Prec } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { graphql, updateSchema } from 'cm6-graphql'
import type { GraphQLSchema } from 'graphql'
import { typeOver } from './type-over.ts'

/** A text area that can be read and set. */
export interface Editor {
  readonly host: HTMLElement
  text(): string
  replace(text: string): void
  focus(): void
}

export interface QueryEditor extends Editor {
  /** Sets the schema with which operations are checked and completed. */
  useSchema(schema: GraphQLSchema | undefined): void
  /** The offset of the cursor. */
  cursor(): number
}

export interface EditorOptions {
  /** The accessible name. */
  readonly label: string
  readonly text: string
  readonly onChange?: () => void
}

export interface QueryEditorOptions extends EditorOptions {
  /** Called on Ctrl or Cmd and Enter. */
  readonly onRun: () => void
  /** Called when a name is clicked while Ctrl or Cmd is held. */
  readonly onLookUp: (type: string | undefined, field: string | undefined) => void
}

const highlighting = HighlightStyle.define([
  { tag: [tags.keyword, tags.definitionKeyword, tags.modifier], color: 'var(--color-info)' },
  { tag: [tags.propertyName, tags.attributeName], color: 'var(--color-primary)' },
  { tag: [tags.string], color: 'var(--color-success)' },
  { tag: [tags.number, tags.integer, tags.float, tags.bool, tags.null], color: 'var(--color-warning)' },
  { tag: tags.variableName, color: 'var(--color-warning)' },
  { tag: tags.atom, color: 'var(--color-text)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--text-muted)', fontStyle: 'italic' },
])

export function queryEditor(options: QueryEditorOptions): QueryEditor {
  const { onRun, onLookUp } = options
  const { editor, view } = createEditor(options, [
    runBy(onRun),
    graphql(undefined, {
      showErrorOnInvalidSchema: false,
      onShowInDocs: (field, type, parent) => onLookUp(parent ?? type, field),
    }),
  ])
  return {
    ...editor,
    useSchema: (schema) => updateSchema(view, schema),
    cursor: () => view.state.selection.main.head,
  }
}

export function jsonEditor(options: EditorOptions & Pick<QueryEditorOptions, 'onRun'>): Editor {
  // An empty text is valid.
  const problemsIn = (view: EditorView) => (view.state.doc.length === 0 ? [] : jsonParseLinter()(view))
  return createEditor(options, [runBy(options.onRun), json(), linter(problemsIn)]).editor
}

/** Shows responses. */
export function resultView(label: string): Editor {
  const isReadOnly = [EditorState.readOnly.of(true), EditorView.editable.of(false)]
  const canBeReached = EditorView.contentAttributes.of({ tabindex: '0' })
  return createEditor({ label, text: '' }, [json(), isReadOnly, canBeReached]).editor
}

const runBy = (run: () => void) =>
  Prec.highest(
    keymap.of([
      {
        key: 'Mod-Enter',
        run() {
          run()
          return true
        },
      },
    ]),
  )

function createEditor({ label, text, onChange }: EditorOptions, language: Extension) {
  const host = document.createElement('div')
  host.className = 'editor'
  const view = new EditorView({
    parent: host,
    doc: text,
    extensions: [
      language,
      lineNumbers(),
      foldGutter(),
      history(),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      autocompletion(),
      syntaxHighlighting(highlighting),
      // Tab leaves the editor, so that keyboard users are not trapped in it.
      keymap.of([
        ...closeBracketsKeymap,
        ...defaultKeymap,
        ...historyKeymap,
        ...foldKeymap,
        ...completionKeymap,
      ]),
      typeOver,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label }),
      EditorView.cspNonce.of(nonce()),
      EditorView.updateListener.of(({ docChanged }) => {
        if (docChanged) onChange?.()
      }),
    ],
  })
  const editor: Editor = {
    host,
    text: () => view.state.doc.toString(),
    replace: (insert) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } }),
    focus: () => view.focus(),
  }
  return { editor, view }
}

/** The nonce for the style elements of CodeMirror: the page's policy refuses others. */
const nonce = () => document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
