import { useSyncExternalStore } from 'react'
import type { MediaFile } from '../../../../../../../client/client.ts'

/** A file being uploaded. */
export interface Upload {
  readonly id: number
  readonly file: File
  readonly folder: number | undefined
  /** `refused`: the file cannot be accepted; `failed`: it may be sent again. */
  readonly state: 'waiting' | 'sending' | 'stored' | 'refused' | 'failed'
  readonly sentBytes: number
  /** The message, once it is refused or has failed. */
  readonly problem?: string
  readonly stored?: MediaFile
}

export const isOnItsWay = ({ state }: Upload): boolean => state === 'waiting' || state === 'sending'

let all: readonly Upload[] = []
const listeners = new Set<() => void>()

/** Only the list; the code that uploads is loaded by the screens that need it. */
export const uploadList = {
  all: (): readonly Upload[] => all,
  set(next: readonly Upload[]) {
    all = next
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** The current uploads of this tab. */
export const useUploads = (): readonly Upload[] => useSyncExternalStore(uploadList.subscribe, uploadList.all)
