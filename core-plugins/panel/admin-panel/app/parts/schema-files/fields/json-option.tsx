import { type ReactNode, useState } from 'react'
import { parseExactly } from '../../../content/schema/json-numbers.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { TextArea } from '../../../ground/kit/field/text-field.tsx'

interface JsonOptionProps {
  readonly label: string
  readonly help: ReactNode
  readonly isRequired?: boolean
  readonly value: unknown
  /** Not called while what is typed is no JSON, or has numbers that would become others; undefined: nothing is typed. */
  readonly onChange: (value: unknown) => void
}

/** What has no input of its own, as it stands in the file. */
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
