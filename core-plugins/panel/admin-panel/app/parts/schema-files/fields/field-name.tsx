import { t } from '../../../ground/i18n/translate.ts'
import { TextField } from '../../../ground/kit/field/text-field.tsx'
import { filesOf } from '../draft/draft.ts'
import { type FileAttribute, fieldsOf } from '../draft/file-content.ts'
import { renameObstacle } from '../draft/rename.ts'
import type { Owner } from '../owners/owner.ts'
import type { Model } from '../owners/use-model.ts'

interface FieldNameProps {
  readonly model: Model
  readonly owner: Owner
  readonly earlier: string | undefined
  readonly name: string
  readonly attribute: FileAttribute
  readonly problem: string | undefined
  readonly onChange: (name: string) => void
}

/** The name of a field, and the effect of renaming it on its values. */
export function FieldName({ model, owner, earlier, name, attribute, problem, onChange }: FieldNameProps) {
  const stored = fieldsOf(filesOf(model.stored).get(owner.path))
  const isStored = earlier !== undefined && Object.hasOwn(stored, earlier)
  const obstacle = isStored
    ? renameObstacle(stored[earlier] ?? attribute, owner.kind === 'component')
    : undefined
  return (
    <TextField
      label={t('model.name')}
      isRequired
      value={name}
      onChange={onChange}
      isDisabled={obstacle !== undefined}
      help={obstacle === undefined ? helpOf(isStored, earlier, name) : t(`model.obstacle.${obstacle}`)}
      {...(problem === undefined ? {} : { problem })}
    />
  )
}

function helpOf(isStored: boolean, earlier: string | undefined, name: string): string {
  const isRenamed = isStored && earlier !== undefined && earlier !== name
  return isRenamed ? t('model.renameKeeps', { earlier }) : t('model.fieldNameHelp')
}

const namePattern = /^[A-Za-z][A-Za-z0-9_]{0,62}$/

/** The problem with a name, checked before the service does. */
export function nameProblem(
  name: string,
  { owner, earlier }: { readonly owner: Owner; readonly earlier: string | undefined },
): string | undefined {
  if (!namePattern.test(name)) return t('model.badFieldName')
  const isTaken = owner.fields.some((field) => field.name === name && field.name !== earlier)
  return isTaken ? t('model.taken') : undefined
}
