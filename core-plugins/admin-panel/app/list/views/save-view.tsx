import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/client.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../kit/button/button.tsx'
import { Checkbox } from '../../kit/checkbox/checkbox.tsx'
import { TextField } from '../../kit/field/text-field.tsx'
import { toast } from '../../kit/toast/toast.tsx'
import type { Access } from '../../session/access.ts'
import type { List } from '../list-context.ts'
import { viewQuery } from '../state/list-state.ts'
import { type ListView, savedViews } from './list-view.ts'
import classes from './views.module.css'

export interface SaveViewProps {
  readonly list: List
  /** The view that the list began as. */
  readonly current: ListView | undefined
  readonly onDone: () => void
}

/** Keeps what the list shows under a name; changes or deletes the view that it began as. */
export function SaveView({ list, current, onDone }: SaveViewProps) {
  const own = current?.editable === true ? current : undefined
  const [name, setName] = useState(own?.name ?? '')
  const [roles, setRoles] = useState<readonly string[]>(own?.roles ?? [])
  const { save, remove } = useWrites(list, own, onDone)
  function submit(event: FormEvent) {
    event.preventDefault()
    save.mutate({ name: name.trim(), roles, isNew: own === undefined })
  }
  return (
    <form className={classes.views} onSubmit={submit}>
      <TextField
        label={t('list.viewName')}
        value={name}
        maxLength={100}
        autoFocus
        problem={save.error?.message}
        onChange={setName}
      />
      <SharedWith access={list.access} roles={roles} onChange={setRoles} />
      <div className={classes.buttons}>
        <Button type="submit" look="primary" isPending={save.isPending} isDisabled={name.trim() === ''}>
          {own === undefined ? t('list.saveView') : t('list.updateView')}
        </Button>
        {own !== undefined && (
          <>
            <Button
              isDisabled={name.trim() === '' || name.trim() === own.name}
              onPress={() => save.mutate({ name: name.trim(), roles, isNew: true })}
            >
              {t('list.saveAsNew')}
            </Button>
            <Button look="danger" isPending={remove.isPending} onPress={() => remove.mutate()}>
              {t('list.deleteView')}
            </Button>
          </>
        )}
      </div>
    </form>
  )
}

interface ViewInput {
  readonly name: string
  readonly roles: readonly string[]
  readonly isNew: boolean
}

function useWrites({ type, state, change }: List, own: ListView | undefined, onDone: () => void) {
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: ['views', type.name] })
  const save = useMutation({
    mutationFn({ name, roles, isNew }: ViewInput) {
      const content = { name, config: { query: viewQuery(state) }, roles: roles.length === 0 ? null : roles }
      if (own === undefined || isNew) return savedViews.create({ type: type.name, ...content })
      return savedViews.update(own.id, content)
    },
    async onSuccess({ id, name }) {
      await refresh()
      change({ view: id }, { replace: true })
      toast('success', t('list.viewSaved', { name }))
      onDone()
    },
  })
  const remove = useMutation({
    mutationFn: () => savedViews.delete(own?.id ?? 0),
    async onSuccess() {
      await refresh()
      change({ view: undefined }, { replace: true })
      onDone()
    },
    onError: ({ message }) => toast('danger', message),
  })
  return { save, remove }
}

interface SharedWithProps {
  readonly access: Access
  readonly roles: readonly string[]
  readonly onChange: (roles: readonly string[]) => void
}

/** Those of people who do not come into the panel. */
const visitorRoles: ReadonlySet<string> = new Set(['authenticated', 'public'])

/** Administrators share with any role, everybody else with their own. */
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
