/** An event from the service; see docs/admin-api.md. */
export interface LiveEvent {
  readonly kind: string
  readonly data: LiveData
}

export interface LiveData {
  /** Singular name of a content type. */
  readonly type?: string
  readonly id?: number
  readonly operation?: string
  readonly version?: string
  readonly by?: { readonly kind: string; readonly id: number; readonly name: string }
  readonly people?: readonly {
    readonly id: number
    readonly username: string
    readonly field: string | null
  }[]
}

const listeners = new Set<(event: LiveEvent) => void>()

/** The event stream of this tab. Nothing arrives while it is closed. */
export const live = {
  /** The name of the open stream, for presence; undefined while closed. */
  stream: undefined as string | undefined,
  subscribe(listener: (event: LiveEvent) => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  publish(event: LiveEvent) {
    for (const listener of listeners) listener(event)
  },
}
