import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type ErrorDetail, MortiseError } from '../../../../../../../client/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { errorText, problemText } from '../../i18n/problem-text.ts'
import { type TextKey, t } from '../../i18n/translate.ts'

export interface FormOptions<Values, Result> {
  readonly initial: Values
  /** Sends all values, or only the changed ones. Errors that it throws are shown, at the fields that the service names. */
  readonly send: (values: Values, changed: Partial<Values>) => Promise<Result>
  /** Query keys to reload before the form is reported as done. */
  readonly refreshes?: readonly string[]
  readonly onDone: (result: Result, values: Values) => void
  /** The form's own texts for problems, by problem code. */
  readonly problemTexts?: Readonly<Record<string, TextKey>>
}

/** The value of an input, its problem and its change handler. */
export interface InputProps<Value> {
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly problem: string | undefined
}

/** The state of a form: values by name and the problems reported by the service. */
export interface FormState<Values> {
  readonly values: Values
  set<Name extends keyof Values>(name: Name, value: Values[Name]): void
  /** The props of the input for a value. */
  input<Name extends keyof Values & string>(name: Name): InputProps<Values[Name]>
  /** The problem of a field or of something inside it: `events` includes `events.0`. */
  problemOf(name: keyof Values & string): string | undefined
  /** The problem that belongs to no field. */
  readonly failure: string | undefined
  readonly isChanged: boolean
  readonly isPending: boolean
  submit(event?: FormEvent): void
  /** Submits with some values replaced. */
  submitWith(others: Partial<Values>): void
  /** Discards the input. */
  discard(): void
}

interface Sent<Values> {
  readonly values: Values
  readonly changed: Partial<Values>
}

/** The state of a form. Problems are removed when a field changes. */
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

/** Assigns reported problems to fields. */
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
