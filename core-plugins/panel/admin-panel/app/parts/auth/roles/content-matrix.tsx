import type { ContentAction, RolePermissions } from '../../../../../../../client/admin.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { IconButton } from '../../../ground/kit/button/button.tsx'
import { Checkbox } from '../../../ground/kit/checkbox/checkbox.tsx'
import { ContentTable } from '../content-table.tsx'
import { contentActions, everyType, grantedFor, isOwn, withContent, withoutOwn } from './permissions.ts'
import classes from './roles.module.css'

interface ContentMatrixProps {
  readonly types: readonly { readonly name: string; readonly label: string }[]
  readonly permissions: RolePermissions
  readonly isReadOnly: boolean
  readonly onChange: (permissions: RolePermissions) => void
}

/** Permissions by type and action. The first row applies to all types without a row of their own, including types added later. */
export function ContentMatrix(props: ContentMatrixProps) {
  return (
    <ContentTable isRoomy actions={contentActions.map(actionName)}>
      <Line {...props} name={everyType} label={t('people.roles.everyType')} />
      {props.types.map(({ name, label }) => (
        <Line key={name} {...props} name={name} label={label} />
      ))}
    </ContentTable>
  )
}

const actionName = (action: ContentAction) => t(`people.roles.actions.${action}`)

interface LineProps extends ContentMatrixProps {
  readonly name: string
  readonly label: string
}

function Line({ name, label, permissions, isReadOnly, onChange }: LineProps) {
  const granted = grantedFor(permissions, name)
  const inherits = name !== everyType && !isOwn(permissions, name)
  const set = (actions: readonly ContentAction[], isAllowed: boolean) =>
    onChange(withContent(permissions, name, actions, isAllowed))
  const isAll = granted.size === contentActions.length
  return (
    <tr className={inherits ? classes.inherited : undefined}>
      <th scope="row">
        <div className={classes.name}>
          <Checkbox
            isSelected={isAll}
            isIndeterminate={!isAll && granted.size > 0}
            isDisabled={isReadOnly}
            onChange={() => set(contentActions, !isAll)}
          >
            {label}
          </Checkbox>
          {inherits && <span className={classes.note}>{t('people.roles.inherited')}</span>}
          {!inherits && name !== everyType && !isReadOnly && (
            <IconButton
              icon="rotate-ccw"
              size="s"
              label={t('people.roles.inherit', { type: label })}
              onPress={() => onChange(withoutOwn(permissions, name))}
            />
          )}
        </div>
      </th>
      {contentActions.map((action) => (
        <td key={action}>
          <Checkbox
            label={t('people.roles.cell', { type: label, action: actionName(action) })}
            isSelected={granted.has(action)}
            isDisabled={isReadOnly}
            onChange={(isAllowed) => set([action], isAllowed)}
          />
        </td>
      ))}
    </tr>
  )
}
