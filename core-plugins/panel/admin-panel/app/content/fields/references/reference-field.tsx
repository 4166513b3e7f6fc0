import type { ReactNode } from 'react'
import { t } from '../../../ground/i18n/translate.ts'
import { Button, IconButton } from '../../../ground/kit/button/button.tsx'
import { SortableRows } from '../../../ground/kit/sortable/sortable-rows.tsx'
import { FieldGroup } from '../../entry/form/field-group.tsx'
import { NoValue } from '../../entry/form/read-value.tsx'
import type { FieldInputProps } from '../../schema/field-kinds.ts'
import classes from './references.module.css'
import type { References } from './use-references.ts'

export interface ReferenceFieldProps extends Pick<FieldInputProps, 'frame'> {
  readonly references: References
  /** The name for button labels such as "Remove Ann". Undefined while unknown. */
  readonly nameOf: (id: number) => string | undefined
  readonly labelOf: (id: number) => ReactNode
  /** The control that adds references while there is room. */
  readonly children: ReactNode
}

/** An ordered list of references that can be moved, removed and added to, or only read. */
export function ReferenceField({ frame, references, nameOf, labelOf, children }: ReferenceFieldProps) {
  const { ids, shown, showMore, takesMore, problem, disabled } = references
  return (
    <FieldGroup {...frame} problem={problem}>
      {() => (
        <div className={classes.references}>
          {disabled ? (
            <ReadReferences shown={shown} labelOf={labelOf} />
          ) : (
            <ReferenceRows references={references} nameOf={nameOf} labelOf={labelOf} />
          )}
          {shown.length < ids.length && (
            <Button size="s" look="plain" onPress={showMore}>
              {t('references.more', { count: ids.length - shown.length })}
            </Button>
          )}
          {takesMore && children}
        </div>
      )}
    </FieldGroup>
  )
}

type ReferenceRowsProps = Pick<ReferenceFieldProps, 'references' | 'nameOf' | 'labelOf'>

function ReferenceRows({ references, nameOf, labelOf }: ReferenceRowsProps) {
  const { ids, shown, isMany, move, remove } = references
  const rows = shown.map((id) => {
    const name = nameOf(id) ?? `#${id}`
    return {
      ...{ key: id, name, content: <div className={classes.content}>{labelOf(id)}</div> },
      action: (
        <IconButton icon="x" size="s" label={t('references.remove', { name })} onPress={() => remove(id)} />
      ),
    }
  })
  const canMove = isMany && ids.length > 1
  return <SortableRows rows={rows} count={ids.length} size="s" onMove={canMove ? move : undefined} />
}

function ReadReferences({
  shown,
  labelOf,
}: Pick<References, 'shown'> & Pick<ReferenceFieldProps, 'labelOf'>) {
  if (shown.length === 0) return <NoValue />
  return (
    <ul className={classes.read}>
      {shown.map((id) => (
        <li key={id} className={classes.readItem}>
          {labelOf(id)}
        </li>
      ))}
    </ul>
  )
}
