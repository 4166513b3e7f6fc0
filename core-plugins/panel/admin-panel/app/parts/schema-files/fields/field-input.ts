import type { Draft } from '../draft/draft.ts'
import type { FileAttribute } from '../draft/file-content.ts'
import type { Owner } from '../owners/owner.ts'
import type { Model } from '../owners/use-model.ts'

/** The input of a field form. */
export interface FieldInput {
  readonly name: string
  readonly attribute: FileAttribute
  /** The name of the inverse field in the target; '' for none. */
  readonly otherSide: string
}

export interface FieldFormProps {
  readonly model: Model
  readonly owner: Owner
  readonly earlier: string | undefined
  readonly input: FieldInput
  readonly onChange: (input: FieldInput) => void
  readonly problems: Draft['problems']
  readonly nameProblem: string | undefined
}
