import type { ReactNode } from 'react'
import { Button } from '../button/button.tsx'
import classes from './form.module.css'
import type { FormState } from './use-form.ts'

export interface FormProps {
  readonly form: Pick<FormState<object>, 'failure' | 'isChanged' | 'isPending' | 'submit'>
  /** The label of the submit button, with a verb: "Save times". */
  readonly action: string
  readonly children: ReactNode
  /** Whether it can be sent; by default once something has changed. */
  readonly isReady?: boolean
}

/** The fields of a form, the problem of the form as a whole, and the submit button. */
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

/** A problem of a whole form, or of a part that is not a single field. */
export function FormProblem({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null
  return (
    <p role="alert" className={classes.problem}>
      {text}
    </p>
  )
}
