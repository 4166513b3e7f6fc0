import type { ReactNode } from 'react'
import { Button } from '../button/button.tsx'
import classes from './form.module.css'
import type { FormState } from './use-form.ts'

export interface FormProps {
  readonly form: Pick<FormState<object>, 'failure' | 'isChanged' | 'isPending' | 'submit'>
  /** The verb of what happens: "Save times". */
  readonly action: string
  readonly children: ReactNode
  /** Whether it can be sent as it is; by default, when something was changed. */
  readonly isReady?: boolean
}

/** The fields of a form, what has gone wrong, and the button that sends it. */
export function Form({ form, action, children, isReady = form.isChanged }: FormProps) {
  return (
    <form className={`${classes.form} ${classes.onPage}`} onSubmit={form.submit} noValidate>
      {children}
      <FormProblem text={form.failure} />
      <div>
        <Button type="submit" look="primary" isPending={form.isPending} isDisabled={!isReady}>
          {action}
        </Button>
      </div>
    </form>
  )
}

/** What is wrong with all of a form, or with a part of it that is no single field. */
export function FormProblem({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null
  return (
    <p role="alert" className={classes.problem}>
      {text}
    </p>
  )
}
