import { useState } from 'react'
import { isSameValue } from './same-value.ts'

export interface Typed {
  readonly text: string
  readonly type: (text: string) => void
}

export interface TypedOptions<Value> {
  readonly value: Value | null | undefined
  readonly set: (value: Value | null) => void
  readonly format: (value: Value | null | undefined) => string
  readonly parse: (text: string) => Value | null
}

/**
 * The text of an input: typed text stays unchanged (`1.`, `007`) as long as it represents the value, and is replaced when the
 * value changes from elsewhere, such as by undo.
 */
export function useTyped<Value>({ value, set, format, parse }: TypedOptions<Value>): Typed {
  const [typed, setTyped] = useState<string>()
  const isCurrent = typed !== undefined && isSameValue(parse(typed), value ?? null)
  return {
    text: isCurrent ? typed : format(value),
    type(text) {
      setTyped(text)
      set(parse(text))
    },
  }
}
