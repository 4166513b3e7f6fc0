import { useState } from 'react'
import { FieldGroup } from '../../entry/form/field-group.tsx'
import { unfinishedPath } from '../../entry/store/unfinished.ts'
import { useField } from '../../entry/use-field.ts'
import type { FieldInputProps } from '../../schema/field-kinds.ts'
import { isSameValue } from '../../schema/same-value.ts'
import JsonEditor from '../code/json-editor.tsx'
import { useEditorSteps } from '../use-editor-steps.ts'
import { readJson, writeJson } from './json-text.ts'

/**
 * An input for JSON. Text that is not valid JSON yet is kept beside the value, so that it is in the journal and the undo history;
 * it is never sent.
 */
export default function JsonInput({ path, frame }: FieldInputProps) {
  const { value, set, problem } = useField(path)
  const steps = useEditorSteps(path)
  const unfinished = useField<string>(unfinishedPath(path))
  // The typed text is kept while it stands for the field's value.
  const [typed, setTyped] = useState<string>()
  const isCurrent = typed !== undefined && isSameValue(readJson(typed)?.value, value ?? null)
  const text = unfinished.value ?? (isCurrent ? typed : writeJson(value))

  function change(next: string) {
    setTyped(next)
    const read = readJson(next)
    if (read === undefined) return unfinished.set(next)
    if ((unfinished.value ?? null) !== null) unfinished.set(null)
    set(read.value)
  }

  return (
    <FieldGroup {...frame} problem={problem}>
      {({ labelledBy, describedBy }) => (
        <JsonEditor
          value={text}
          onChange={change}
          labelledBy={labelledBy}
          describedBy={describedBy}
          steps={steps}
        />
      )}
    </FieldGroup>
  )
}
