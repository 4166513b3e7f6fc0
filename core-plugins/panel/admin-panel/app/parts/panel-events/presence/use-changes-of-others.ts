import { useEffect } from 'react'
import type { EntrySession } from '../../../content/entry/entry-session.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { whenNoDialogIsOpen } from '../../../ground/kit/dialog/open-dialogs.ts'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import { live } from '../live.ts'

/** Merges other users' saves into the form, except while a dialog about the entry is open. */
export function useChangesOfOthers({ type, store, refresh }: EntrySession, id: number | undefined): void {
  useEffect(() => {
    if (id === undefined) return undefined
    // Errors here are ignored: the next save reports them.
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
