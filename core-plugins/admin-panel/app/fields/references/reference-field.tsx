import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { SortableRows } from '../../kit/sortable/sortable-rows.tsx'
import { FieldGroup } from '../field-group.tsx'
import type { FieldInputProps } from '../registry.ts'
import classes from './references.module.css'
import type { References } from './use-references.ts'

export interface ReferenceFieldProps extends Pick<FieldInputProps, 'frame'> {
  readonly references: References
  /** For the buttons: "Remove Ann". Undefined as long as it is not known. */
  readonly nameOf: (id: number) => string | undefined
  readonly labelOf: (id: number) => ReactNode
  /** What adds to them, as long as there is room. */
  readonly children: ReactNode
}

/** What a field refers to, in its order: moved, removed, and added to. */
export function ReferenceField({ frame, references, nameOf, labelOf, children }: ReferenceFieldProps) {
  const { ids, shown, showMore, isMany, takesMore, move, remove, problem, disabled } = references
  const rows = shown.map((id) => {
    const name = nameOf(id) ?? `#${id}`
    return {
      ...{ key: id, name, content: <div className={classes.content}>{labelOf(id)}</div> },
      action: !disabled && (
        <IconButton icon="x" size="s" label={t('references.remove', { name })} onPress={() => remove(id)} />
      ),
    }
  })
  const canMove = isMany && !disabled && ids.length > 1
  return (
    <FieldGroup {...frame} problem={problem}>
      {() => (
        <div className={classes.references}>
          <SortableRows rows={rows} count={ids.length} size="s" onMove={canMove ? move : undefined} />
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
