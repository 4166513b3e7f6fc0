import { useMutation, useQuery } from '@tanstack/react-query'
import type { List } from '../../content/list/list-context.ts'
import { viewQuery } from '../../content/list/state/list-state.ts'
import type { Access } from '../../ground/access/access.ts'
import { api } from '../../ground/api/client.ts'
import { queryClient } from '../../ground/api/query-client.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { Checkbox } from '../../ground/kit/checkbox/checkbox.tsx'
import { TextField } from '../../ground/kit/field/text-field.tsx'
import { FormProblem } from '../../ground/kit/form/form.tsx'
import { useForm } from '../../ground/kit/form/use-form.ts'
import { toast } from '../../ground/kit/toast/toast.tsx'
import { type ListView, savedViews, viewsKey } from './list-view.ts'
import classes from './views.module.css'

export interface SaveViewProps {
  readonly list: List
  /** The view from which the list was opened. */
  readonly current: ListView | undefined
  readonly onDone: () => void
}

/** Saves the state of the list as a view; updates or deletes the view it was opened from. */
export function SaveView({ list, current, onDone }: SaveViewProps) {
  const own = current?.editable === true ? current : undefined
  const form = useViewForm(list, own, onDone)
  const { values, set, input } = form
  const name = values.name.trim()
  return (
    <form className={classes.views} onSubmit={form.submit}>
      <TextField label={t('list.viewName')} {...input('name')} maxLength={100} autoFocus />
      <SharedWith access={list.access} roles={values.roles} onChange={(roles) => set('roles', roles)} />
      <FormProblem text={form.failure} />
      <div className={classes.buttons}>
        <Button type="submit" look="primary" isPending={form.isPending} isDisabled={name === ''}>
          {own === undefined ? t('list.saveView') : t('list.updateView')}
        </Button>
        {own !== undefined && (
          <>
            <Button
              isDisabled={name === '' || name === own.name}
              onPress={() => form.submitWith({ isNew: true })}
            >
              {t('list.saveAsNew')}
            </Button>
            <DeleteView list={list} id={own.id} onDone={onDone} />
          </>
        )}
      </div>
    </form>
  )
}

function useViewForm({ type, state, change }: List, own: ListView | undefined, onDone: () => void) {
  const roles: readonly string[] = own?.roles ?? []
  return useForm({
    initial: { name: own?.name ?? '', roles, isNew: own === undefined },
    send({ name, roles, isNew }) {
      const config = { query: viewQuery(state) }
      const content = { name: name.trim(), config, roles: roles.length === 0 ? null : roles }
      if (own === undefined || isNew) return savedViews.create({ type: type.name, ...content })
      return savedViews.update(own.id, content)
    },
    refreshes: [viewsKey],
    onDone({ id, name }) {
      change({ view: id }, { replace: true })
      toast('success', t('list.viewSaved', { name }))
      onDone()
    },
  })
}

interface DeleteViewProps extends Pick<SaveViewProps, 'list' | 'onDone'> {
  readonly id: number
}

function DeleteView({ list: { change }, id, onDone }: DeleteViewProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => savedViews.delete(id),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: [viewsKey] })
      change({ view: undefined }, { replace: true })
      onDone()
    },
    onError: (error) => toast('danger', errorText(error)),
  })
  return (
    <Button look="danger" isPending={isPending} onPress={() => mutate()}>
      {t('list.deleteView')}
    </Button>
  )
}

interface SharedWithProps {
  readonly access: Access
  readonly roles: readonly string[]
  readonly onChange: (roles: readonly string[]) => void
}

/** Roles of content users, who do not use the panel. */
const visitorRoles: ReadonlySet<string> = new Set(['authenticated', 'public'])

/** Sharing options: administrators may share with any role, others only with their own. */
function SharedWith({ access, roles, onChange }: SharedWithProps) {
  const seesRoles = access.isAdministrator && access.mayArea('roles')
  const { data } = useQuery({
    queryKey: ['roles'],
    queryFn: ({ signal }) =>
      api.send<readonly { readonly name: string }[]>('GET', '/admin/roles', { signal }),
    enabled: seesRoles,
    staleTime: 60_000,
  })
  const known = data?.map(({ name }) => name).filter((name) => !visitorRoles.has(name)) ?? [access.user.role]
  const offered = [...new Set([...known, ...roles])]
  return (
    <fieldset className={classes.roles}>
      <legend>{t('list.shareWith')}</legend>
      {offered.map((role) => (
        <Checkbox
          key={role}
          isSelected={roles.includes(role)}
          onChange={(isShared) =>
            onChange(isShared ? [...roles, role] : roles.filter((each) => each !== role))
          }
        >
          {role}
        </Checkbox>
      ))}
    </fieldset>
  )
}
