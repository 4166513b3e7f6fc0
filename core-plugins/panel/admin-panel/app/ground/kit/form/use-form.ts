import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type ErrorDetail, MortiseError } from '../../../../../../../client/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { errorText, problemText } from '../../i18n/problem-text.ts'
import { type TextKey, t } from '../../i18n/translate.ts'

export interface FormOptions<Values, Result> {
  readonly initial: Values
  /**
   * Sends what was entered, or only what of it is different from what was there; what it throws is shown, beside the
   * fields that the service names.
   */
  readonly send: (values: Values, changed: Partial<Values>) => Promise<Result>
  /** Keys of what is read anew afterwards, before the form is told that it is done. */
  readonly refreshes?: readonly string[]
  readonly onDone: (result: Result, values: Values) => void
  /** What a form says of a problem in words of its own, by the code of the problem. */
  readonly problemTexts?: Readonly<Record<string, TextKey>>
}

/** The value of an input, what is wrong with it, and what changes it. */
export interface InputProps<Value> {
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly problem: string | undefined
}

/** A form of values by name, with the problems that the service finds. */
export interface FormState<Values> {
  readonly values: Values
  set<Name extends keyof Values>(name: Name, value: Values[Name]): void
  /** What ties an input to a value. */
  input<Name extends keyof Values & string>(name: Name): InputProps<Values[Name]>
  /** What is wrong with a field, or with something in it: `events` is `events.0` as well. */
  problemOf(name: keyof Values & string): string | undefined
  /** What is wrong and stands at no field. */
  readonly failure: string | undefined
  readonly isChanged: boolean
  readonly isPending: boolean
  submit(event?: FormEvent): void
  /** Sends what was entered with other values instead of some of it. */
  submitWith(others: Partial<Values>): void
  /** Throws away what was entered. */
  discard(): void
}

interface Sent<Values> {
  readonly values: Values
  readonly changed: Partial<Values>
}

/** The state of a form. A problem goes when its field, or any other, is changed. */
export function useForm<Values extends object, Result>(
  options: FormOptions<Values, Result>,
): FormState<Values> {
  const { initial, send, refreshes = [], onDone, problemTexts = {} } = options
  const [entered, setEntered] = useState<Partial<Values>>({})
  const values = { ...initial, ...entered }
  const changed = changesOf(initial, entered)
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: (sent: Sent<Values>) => send(sent.values, sent.changed),
    async onSuccess(result, sent) {
      await Promise.all(refreshes.map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
      setEntered({})
      onDone(result, sent.values)
    },
  })
  const textOf = (detail: ErrorDetail) => {
    const key = problemTexts[detail.code]
    return key === undefined ? problemText(detail) : t(key)
  }
  const { problemOf, failure } = problemsIn(error, Object.keys(initial), textOf)
  const set: FormState<Values>['set'] = (name, value) => {
    reset()
    setEntered({ ...entered, [name]: value })
  }
  return {
    values,
    set,
    input: (name) => ({
      value: values[name],
      onChange: (value) => set(name, value),
      problem: problemOf(name),
    }),
    problemOf,
    failure,
    isChanged: Object.keys(changed).length > 0,
    isPending,
    submit(event) {
      event?.preventDefault()
      mutate({ values, changed })
    },
    submitWith(others) {
      mutate({ values: { ...values, ...others }, changed: { ...changed, ...others } })
    },
    discard() {
      reset()
      setEntered({})
    },
  }
}

function changesOf<Values extends object>(initial: Values, entered: Partial<Values>): Partial<Values> {
  const before = new Map(Object.entries(initial))
  const changes = Object.entries(entered).filter(([name, value]) => value !== before.get(name))
  return Object.fromEntries(changes) as Partial<Values>
}

/** Sorts what the service says by the fields that it is about. */
function problemsIn(
  error: Error | null,
  fields: readonly string[],
  textOf: (detail: ErrorDetail) => string,
): Pick<FormState<object>, 'failure'> & { problemOf(name: string): string | undefined } {
  const details = error instanceof MortiseError ? error.details : []
  const isOf = (name: string) => (path: string) => path === name || path.startsWith(`${name}.`)
  const elsewhere = details.filter(({ path }) => !fields.some((name) => isOf(name)(path)))
  const isSaid = error === null || (details.length > 0 && elsewhere.length === 0)
  const joined = (some: readonly ErrorDetail[]) =>
    some.length === 0 ? undefined : some.map(textOf).join(' ')
  return {
    problemOf: (name) => joined(details.filter(({ path }) => isOf(name)(path))),
    failure: isSaid ? undefined : (joined(elsewhere) ?? errorText(error)),
  }
}
