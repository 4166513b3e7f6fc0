import { type ReactNode, useState } from 'react'
import { parseExactly } from '../../../content/schema/json-numbers.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { TextArea } from '../../../ground/kit/field/text-field.tsx'

interface JsonOptionProps {
  readonly label: string
  readonly help: ReactNode
  readonly isRequired?: boolean
  readonly value: unknown
  /** Not called while the text is not JSON or contains numbers that would lose precision; undefined for empty text. */
  readonly onChange: (value: unknown) => void
}

/** A JSON input for options without a specific input. */
export function JsonOption({ label, help, isRequired = false, value, onChange }: JsonOptionProps) {
  const [typed, setTyped] = useState(value === undefined ? '' : JSON.stringify(value, null, 2))
  const [isBroken, setBroken] = useState(false)
  function change(text: string) {
    setTyped(text)
    try {
      onChange(text.trim() === '' ? undefined : parseExactly(text))
      setBroken(false)
    } catch {
      setBroken(true)
    }
  }
  return (
    <TextArea
      label={`${label} (JSON)`}
      help={help}
      isRequired={isRequired}
      value={typed}
      onChange={change}
      problem={isBroken ? t('model.noJson') : undefined}
    />
  )
}
