import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { errorText } from '../../../ground/i18n/problem-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button, IconButton } from '../../../ground/kit/button/button.tsx'
import { Menu } from '../../../ground/kit/menu/menu.tsx'
import type { MenuAction } from '../../../ground/kit/menu/menu-action.ts'
import { useIsNarrow } from '../../../ground/kit/page/use-is-narrow.ts'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import { Toolbar } from '../../../ground/kit/toolbar/toolbar.tsx'
import { useContributions } from '../../../shell/panel-part.ts'
import type { PluginPartOf } from '../../../shell/plugins/parts.ts'
import { runAction } from '../../../shell/plugins/run-action.ts'
import { readIds } from '../data/use-entries.ts'
import type { List } from '../list-context.ts'
import classes from './bulk.module.css'
import { actionIcons, allowedActions, type BulkAction, isDangerous } from './bulk-actions.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import { forgetEntries } from './undo.ts'
import { useFocusAfterwards } from './use-focus-afterwards.ts'

export interface BulkBarProps {
  readonly list: List
  readonly selected: ReadonlySet<number>
  readonly onSelect: (selected: ReadonlySet<number>) => void
  /** Actions of plugins for the type. */
  readonly contributed: readonly PluginPartOf<'listActions'>[]
}

/** The maximum number of entries that the API changes in one request. */
const most = 1_000

/** The bar with actions for the selected entries; it replaces the search while entries are selected. */
export default function BulkBar({ list, selected, onSelect, contributed }: BulkBarProps) {
  useFocusAfterwards()
  const [action, setAction] = useState<BulkAction>()
  const [asked, ask] = useState<string>()
  const own = useContributions('listActions').filter(({ mayShow }) => mayShow(list))
  const Dialog = own.find(({ id }) => id === asked)?.dialog
  const isTooMany = selected.size > most
  const further = useContributed({ list, selected, onSelect, contributed })
  return (
    <div className={classes.bar}>
      <span role="status" className={classes.count}>
        {isTooMany
          ? t('list.tooMany', { count: selected.size, most })
          : t('list.selected', { count: selected.size })}
      </span>
      <SelectAll list={list} selected={selected} onSelect={onSelect} />
      <Actions
        list={list}
        isDisabled={isTooMany}
        onChoose={setAction}
        further={[
          ...own.map(({ id, label, icon }) => ({ id, label: label(), icon, onAction: () => ask(id) })),
          ...further,
        ]}
      />
      <Duplicate list={list} selected={selected} />
      <IconButton icon="x" label={t('list.clearSelection')} onPress={() => onSelect(new Set())} />
      {Dialog !== undefined && (
        <Suspense fallback={null}>
          <Dialog
            type={list.type}
            ids={[...selected]}
            onClose={() => ask(undefined)}
            onDone={() => onSelect(new Set())}
          />
        </Suspense>
      )}
      {action !== undefined && (
        <BulkDialog
          list={list}
          action={action}
          ids={[...selected]}
          onClose={() => setAction(undefined)}
          onDone={() => {
            setAction(undefined)
            onSelect(new Set())
          }}
        />
      )}
    </div>
  )
}

interface ActionsProps {
  readonly list: List
  readonly isDisabled: boolean
  readonly onChoose: (action: BulkAction) => void
  /** Actions of plugins. */
  readonly further: readonly MenuAction[]
}

function Actions({ list, isDisabled, onChoose, further }: ActionsProps) {
  const isNarrow = useIsNarrow()
  const own = allowedActions(list).map((action) => ({
    id: action,
    label: t(`list.bulk.${action}.name`),
    icon: actionIcons[action],
    isDangerous: isDangerous(action),
    onAction: () => onChoose(action),
  }))
  const items: readonly MenuAction[] = [...own, ...further]
  if (isNarrow) {
    return (
      <Menu label={t('list.actions')} actions={items}>
        <Button isDisabled={isDisabled}>{t('list.actions')}</Button>
      </Menu>
    )
  }
  return (
    <Toolbar label={t('list.actions')}>
      {items.map(({ id, label, icon, isDisabled: isBusy = false, onAction }) => (
        <Button
          key={id}
          {...(icon === undefined ? {} : { icon })}
          isDisabled={isDisabled || isBusy}
          onPress={() => onAction?.()}
        >
          {label}
        </Button>
      ))}
    </Toolbar>
  )
}

/** Runs actions of plugins, one at a time; the list is reloaded afterwards. */
function useContributed({ list: { type, state }, selected, onSelect, contributed }: BulkBarProps) {
  const queries = useQueryClient()
  const [running, setRunning] = useState(false)
  // Entries in the trash can only be restored or deleted for good.
  const shown = state.isTrash ? [] : contributed
  return shown.map(
    ({ plugin, part: { id, label, icon, run } }): MenuAction => ({
      id,
      label,
      ...(icon === undefined ? {} : { icon }),
      isDisabled: running,
      async onAction() {
        setRunning(true)
        const isDone = await runAction({ plugin, where: `list action ${id}` }, () =>
          run({ type: type.name, ids: [...selected] }),
        )
        setRunning(false)
        if (!isDone) return
        forgetEntries(queries, type)
        onSelect(new Set())
      },
    }),
  )
}

/** Opens a new entry as a copy of the only selected one. */
function Duplicate({ list: { type, access, state }, selected }: Pick<BulkBarProps, 'list' | 'selected'>) {
  const [, navigate] = useLocation()
  const [id] = selected
  if (selected.size !== 1 || state.isTrash || !access.mayContent(type.name, 'create')) return null
  return (
    <Button icon="copy" onPress={() => navigate(`/content/${type.name}/new?from=${id}`)}>
      {t('list.duplicate')}
    </Button>
  )
}

/** Selects all entries of the list; the checkbox above the rows selects only the loaded ones. */
function SelectAll({ list, selected, onSelect }: Omit<BulkBarProps, 'contributed'>) {
  const [isPending, setPending] = useState(false)
  const { entries, total = 0, type, state } = list
  const isWhole = entries.rows.every(({ id }) => selected.has(id))
  const count = Math.min(total, most)
  if (!isWhole || count <= selected.size) return null
  async function selectAll() {
    setPending(true)
    try {
      onSelect(new Set(await readIds(type, state, most)))
    } catch (error) {
      toast('danger', errorText(error))
    } finally {
      setPending(false)
    }
  }
  return (
    <Button look="plain" isPending={isPending} onPress={() => void selectAll()}>
      {t(total > most ? 'list.selectFirst' : 'list.selectMatching', { count })}
    </Button>
  )
}
