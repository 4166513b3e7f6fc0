import { htmlLanguage } from '@codemirror/lang-html'
import { CodeEditor, type CodeEditorProps } from './code-editor.tsx'

/** HTML as text. */
export default function HtmlEditor(props: CodeEditorProps) {
  return <CodeEditor {...props} language={htmlLanguage} />
}
