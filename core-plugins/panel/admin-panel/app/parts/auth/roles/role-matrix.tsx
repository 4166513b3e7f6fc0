import type { Role } from '../../../../../../../client/admin.ts'
import { admin } from '../../../ground/api/admin.ts'
import { useContentTypes } from '../../../ground/api/content-types.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { Checkbox } from '../../../ground/kit/checkbox/checkbox.tsx'
import { FormProblem } from '../../../ground/kit/form/form.tsx'
import { useForm } from '../../../ground/kit/form/use-form.ts'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import { rolesKey } from '../role-options.ts'
import { ContentMatrix } from './content-matrix.tsx'
import { mediaActions, withMedia } from './permissions.ts'
import classes from './roles.module.css'

interface RoleMatrixProps {
  readonly role: Role
  readonly isReadOnly: boolean
}

/** Edits the permissions of a role, which are saved as a whole. */
export function RoleMatrix({ role, isReadOnly }: RoleMatrixProps) {
  const types = useTypeNames(role)
  const form = useForm({
    initial: { permissions: role.permissions },
    send: (values) => admin.roles.update(role.id, values),
    refreshes: [rolesKey],
    onDone: () => toast('success', t('people.saved', { name: role.name })),
  })
  const { isChanged, isPending } = form
  const { permissions } = form.values
  const setPermissions = (changed: typeof permissions) => form.set('permissions', changed)
  return (
    <div className={classes.permissions}>
      <ContentMatrix
        types={types}
        permissions={permissions}
        isReadOnly={isReadOnly}
        onChange={setPermissions}
      />
      <fieldset className={classes.media} disabled={isReadOnly}>
        <legend>{t('people.roles.media')}</legend>
        {mediaActions.map((action) => (
          <Checkbox
            key={action}
            isSelected={permissions.media[action] === true}
            isDisabled={isReadOnly}
            onChange={(isAllowed) => setPermissions(withMedia(permissions, action, isAllowed))}
          >
            {t(`people.roles.mediaActions.${action}`)}
          </Checkbox>
        ))}
      </fieldset>
      <FormProblem text={form.failure ?? form.problemOf('permissions')} />
      {!isReadOnly && (
        <div className={classes.buttons}>
          <Button look="primary" isDisabled={!isChanged} isPending={isPending} onPress={() => form.submit()}>
            {t('people.save')}
          </Button>
          <Button isDisabled={!isChanged} onPress={form.discard}>
            {t('people.roles.discard')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Includes types that the user may not read if the role names them, so that saving does not drop them. */
function useTypeNames(role: Role): readonly { readonly name: string; readonly label: string }[] {
  const types = (useContentTypes() ?? []).filter(({ system }) => !system)
  const shown = types.map(({ name, info }) => ({ name, label: info.displayName }))
  const known = new Set(shown.map(({ name }) => name))
  const others = Object.keys(role.permissions.content).filter((name) => name !== '*' && !known.has(name))
  return [...shown, ...others.map((name) => ({ name, label: name }))]
}
