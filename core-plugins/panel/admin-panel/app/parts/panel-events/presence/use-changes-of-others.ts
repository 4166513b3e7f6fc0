import { useEffect } from 'react'
import type { EntrySession } from '../../../content/entry/entry-session.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { whenNoDialogIsOpen } from '../../../ground/kit/dialog/open-dialogs.ts'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import { live } from '../live.ts'

/** Brings what others save into the form, while one reads or types; not while a dialog asks about the entry. */
export function useChangesOfOthers({ type, store, refresh }: EntrySession, id: number | undefined): void {
  useEffect(() => {
    if (id === undefined) return undefined
    // What goes wrong here is told by the next save.
    const bring = () => void refresh().catch(() => undefined)
    let callOff: (() => void) | undefined
    const unsubscribe = live.subscribe(({ kind, data }) => {
      const isMeant = kind === 'entry' && data.type === type.name && data.id === id
      if (kind !== 'restart' && !isMeant) return
      if (data.operation === 'delete') return toast('danger', t('presence.deleted'))
      const isKnown = data.version !== undefined && data.version === store.base().updated_at
      if (!isKnown || data.operation === 'transition') callOff = whenNoDialogIsOpen(bring)
    })
    return () => {
      unsubscribe()
      callOff?.()
    }
  }, [type, store, refresh, id])
}
