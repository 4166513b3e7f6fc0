import { type KeyboardEvent, useEffect, useState, useSyncExternalStore } from 'react'
import { useAccess } from '../../../ground/access/access.ts'
import type { DescribedType } from '../../../ground/api/content-types.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { Drawer } from '../../../ground/kit/dialog/dialog.tsx'
import { Skeleton } from '../../../ground/kit/loading/loading.tsx'
import { entryAddress } from '../../entry/entry-address.ts'
import { EntryContext, type EntrySession } from '../../entry/entry-session.ts'
import { EntryForm } from '../../entry/form/entry-form.tsx'
import { Notices } from '../../entry/notices/notices.tsx'
import { useOpenSession } from '../../entry/use-open-session.ts'
import { DrawerDepth, useDrawers } from './drawers.ts'

export interface NewTargetProps {
  readonly type: DescribedType
  readonly onClose: () => void
  readonly onStored: (id: number) => void
}

/** A form for a new entry in a drawer over another form. Unsaved changes stay in the journal. */
export default function NewTarget({ type, onClose, onStored }: NewTargetProps) {
  const access = useAccess()
  const { depth } = useDrawers()
  const [attempt, setAttempt] = useState(0)
  const address = entryAddress({ type, id: undefined, search: new URLSearchParams(), access })
  const opening = useOpenSession({ address, isReadOnly: false, attempt })
  const session = opening.kind === 'open' ? opening.session : undefined
  return (
    <Drawer
      title={t('relation.create', { name: type.info.displayName })}
      isOpen
      onClose={onClose}
      actions={session !== undefined && <Save session={session} onStored={onStored} />}
    >
      <DrawerDepth value={depth + 1}>
        {opening.kind === 'loading' && <Skeleton lines={6} />}
        {opening.kind === 'failed' && (
          <Button onPress={() => setAttempt(attempt + 1)}>{t('shell.tryAgain')}</Button>
        )}
        {session !== undefined && (
          <EntryContext value={session}>
            {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the whole form, as on the page of an entry */}
            <div onKeyDown={(event) => onKeyDown(event, session)}>
              <Notices />
              <EntryForm />
            </div>
          </EntryContext>
        )}
      </DrawerDepth>
    </Drawer>
  )
}

/** Keeps key events from reaching the form below. */
function onKeyDown(event: KeyboardEvent, { store, save }: EntrySession) {
  const { key, metaKey, ctrlKey, altKey, shiftKey, target } = event
  if (event.defaultPrevented || altKey || !(metaKey || ctrlKey)) return
  const pressed = key.toLowerCase()
  const isStep = pressed === 'z' || pressed === 'y'
  if (!isStep && pressed !== 's') return
  event.preventDefault()
  if (pressed === 's') return void save()
  if (target instanceof HTMLElement && target.isContentEditable) return
  if (pressed === 'y' || shiftKey) store.redo()
  else store.undo()
}

interface SaveProps {
  readonly session: EntrySession
  readonly onStored: (id: number) => void
}

function Save({ session, onStored }: SaveProps) {
  const { store, saving, save } = session
  const { kind } = useSyncExternalStore(saving.subscribe, saving.get)
  useEffect(
    () =>
      store.subscribeToState(() => {
        const id = store.state().saved?.entry.id
        if (typeof id === 'number') onStored(id)
      }),
    [store, onStored],
  )
  return (
    <Button look="primary" isPending={kind === 'sending'} onPress={() => void save()}>
      {t('relation.createAndLink')}
    </Button>
  )
}
