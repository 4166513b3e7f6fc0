import type { DescribedComponent } from '../../../../../../../client/admin.ts'
import { type Components, useComponents } from '../../../ground/api/components.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { Skeleton } from '../../../ground/kit/loading/loading.tsx'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import { useEntrySession } from '../../entry/entry-session.ts'
import { FieldGroup } from '../../entry/form/field-group.tsx'
import { FieldRows } from '../../entry/form/field-rows.tsx'
import { NoValue } from '../../entry/form/read-value.tsx'
import { useSelected } from '../../entry/use-field.ts'
import type { FieldInputProps } from '../../schema/field-kinds.ts'
import { newValuesOf } from '../blocks/block.ts'
import { BlockListInput } from '../blocks/block-list-input.tsx'
import classes from '../blocks/blocks.module.css'

/** The input of a component field, single or repeatable. */
export default function ComponentInput({ path, attribute, frame }: FieldInputProps) {
  const components = useComponents()
  if (components === undefined) return <Skeleton lines={3} />
  const uid = String(attribute.component)
  if (attribute.repeatable === true) {
    const { min = 0, max = Number.POSITIVE_INFINITY } = attribute as {
      readonly min?: number
      readonly max?: number
    }
    const field = { path, allowed: [uid], isZone: false, min, max }
    return <BlockListInput path={path} frame={frame} field={field} components={components} />
  }
  const component = components.get(uid)
  if (component === undefined) return null
  return <SingleComponent path={path} frame={frame} component={component} components={components} />
}

interface SingleProps extends Pick<FieldInputProps, 'path' | 'frame'> {
  readonly component: DescribedComponent
  readonly components: Components
}

/** A single component: its fields, or a button to add it. */
function SingleComponent({ path, frame, component, components }: SingleProps) {
  const { store, isReadOnly } = useEntrySession()
  const isThere = useSelected(path, (value) => (value ?? null) !== null)
  const { displayName } = component.info

  function remove() {
    const removed = store.valueAt(path)
    store.change(path, null)
    toast('info', t('blocks.removed', { name: frame.label }), {
      label: t('blocks.undo'),
      onAction: () => store.change(path, removed),
    })
  }

  return (
    <FieldGroup {...frame}>
      {() =>
        isThere ? (
          <div className={classes.single}>
            <FieldRows attributes={component.attributes} parent={path} />
            {!isReadOnly && (
              <div className={classes.end}>
                <Button size="s" look="plain" icon="trash-2" onPress={remove}>
                  {t('blocks.removeOne', { name: frame.label })}
                </Button>
              </div>
            )}
          </div>
        ) : isReadOnly ? (
          <NoValue />
        ) : (
          <div className={classes.empty}>
            <Button
              size="s"
              icon="plus"
              onPress={() => store.change(path, newValuesOf(component, components))}
            >
              {t('blocks.addOne', { name: displayName })}
            </Button>
          </div>
        )
      }
    </FieldGroup>
  )
}
