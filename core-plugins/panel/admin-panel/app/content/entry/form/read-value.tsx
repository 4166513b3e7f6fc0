import { t } from '../../../ground/i18n/translate.ts'
import { VisuallyHidden } from '../../../ground/kit/visually-hidden/visually-hidden.tsx'
import type { FieldInputProps, FieldKind } from '../../schema/field-kinds.ts'
import { useSelected } from '../use-field.ts'
import { FieldGroup } from './field-group.tsx'
import classes from './read-value.module.css'

export interface ReadFieldProps extends Pick<FieldInputProps, 'path' | 'frame'> {
  readonly read: NonNullable<FieldKind['read']>
}

/** A read-only field: its label and its value as plain content, not as a disabled input. */
export function ReadField({ path, frame, read: Read }: ReadFieldProps) {
  const value = useSelected(path, (present) => present)
  const isNone = value === null || value === undefined || value === ''
  return (
    <FieldGroup {...frame}>
      {() => <div className={classes.value}>{isNone ? <NoValue /> : <Read path={path} value={value} />}</div>}
    </FieldGroup>
  )
}

/** A dash on screen; screen readers hear words instead. */
export function NoValue() {
  return (
    <span className={classes.none}>
      <span aria-hidden="true">—</span>
      <VisuallyHidden>{t('entry.notSet')}</VisuallyHidden>
    </span>
  )
}
