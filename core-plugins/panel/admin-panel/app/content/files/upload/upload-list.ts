import { useSyncExternalStore } from 'react'
import type { MediaFile } from '../../../../../../../client/client.ts'

/** A file on its way. */
export interface Upload {
  readonly id: number
  readonly file: File
  readonly folder: number | undefined
  /** `refused`: the file cannot be accepted; `failed`: it may be sent again. */
  readonly state: 'waiting' | 'sending' | 'stored' | 'refused' | 'failed'
  readonly sentBytes: number
  /** In words, once it is refused or has failed. */
  readonly problem?: string
  readonly stored?: MediaFile
}

export const isOnItsWay = ({ state }: Upload): boolean => state === 'waiting' || state === 'sending'

let all: readonly Upload[] = []
const listeners = new Set<() => void>()

/** The list alone: what works on it is loaded by the screens that upload. */
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

/** The uploads of this tab, as they are now. */
export const useUploads = (): readonly Upload[] => useSyncExternalStore(uploadList.subscribe, uploadList.all)
