export type ReleaseStatus = 'draft' | 'scheduled' | 'publishing' | 'published' | 'failed'

/** What a release does with an entry when it is published. */
export type ReleaseAction = 'publish' | 'unpublish'

/** Entries that are published or unpublished together. */
export interface Release {
  readonly id: number
  readonly name: string
  readonly status: ReleaseStatus
  readonly scheduledAt: string | null
  /** `admin:3` or `token:7`, whose rights count at that time. */
  readonly scheduledBy: string | null
  readonly publishedAt: string | null
  readonly error: {
    readonly message: string
    readonly details: readonly { readonly path: string; readonly code: string; readonly message: string }[]
  } | null
  readonly entryCount: number
  readonly created_at: string
  readonly updated_at: string
}

/** What a release does to an entry. */
export interface ReleaseItem {
  readonly id: number
  readonly contentType: string
  readonly entryId: number
  readonly action: ReleaseAction
  readonly title: string | null
  /** False: it is gone, or the caller may not read it. */
  readonly visible: boolean
  readonly created_at: string
}

/** A release with what is in it, as far as the caller may know it. */
export interface WholeRelease extends Release {
  readonly entries: readonly ReleaseItem[]
  /** Entries of types that the caller may not know. */
  readonly hidden: number
  readonly mayPublish: boolean
  readonly mayDelete: boolean
}

/** About an entry of a release. */
export interface ReleaseFinding {
  readonly itemId: number
  readonly contentType: string
  readonly entryId: number
  readonly code: string
  readonly message: string
  readonly release?: { readonly id: number; readonly name: string; readonly scheduledAt: string | null }
  readonly at?: string
}

/** What stops a release; conflicts stop nothing. */
export interface ReleaseCheck {
  readonly ready: boolean
  readonly problems: readonly ReleaseFinding[]
  readonly conflicts: readonly ReleaseFinding[]
  readonly callerLacks: readonly string[]
  readonly schedulerLacks: readonly string[]
  readonly hidden: { readonly count: number; readonly problems: number }
}

/** What is planned in a span of time. */
export interface Calendar {
  readonly entries: readonly CalendarEntry[]
  readonly releases: readonly CalendarRelease[]
  readonly hasMore: boolean
}

export interface CalendarEntry {
  readonly type: string
  readonly id: number
  readonly title: string | null
  readonly action: ReleaseAction
  readonly at: string
  readonly conflict: boolean
}

export interface CalendarRelease {
  readonly id: number
  readonly name: string
  readonly status: ReleaseStatus
  readonly at: string
  readonly entryCount: number
  readonly conflict: boolean
  readonly mayMove: boolean
}

/** What readers will find otherwise than now. */
export interface FutureChanges {
  readonly changes: readonly {
    readonly type: string
    readonly id: number
    readonly title: string | null
    readonly change: 'appears' | 'disappears' | 'changes'
    readonly at: string
    readonly release: { readonly id: number; readonly name: string } | null
  }[]
  readonly hasMore: boolean
}

interface Cancelling {
  readonly signal?: AbortSignal
}

export interface ReleaseFilter {
  /** `open`: not published. */
  readonly status?: ReleaseStatus | 'open'
  /** `article:7` */
  readonly entry?: string
  readonly limit?: number
  readonly offset?: number
}

/** The releases of the service. */
export interface Releases {
  /** Newest first. */
  list(filter?: ReleaseFilter, options?: Cancelling): Promise<readonly Release[]>
  get(id: number, options?: Cancelling): Promise<WholeRelease>
  create(release: { readonly name: string; readonly scheduledAt?: string | null }): Promise<Release>
  update(
    id: number,
    change: { readonly name?: string; readonly scheduledAt?: string | null },
  ): Promise<Release>
  delete(id: number): Promise<Release>
  /** Adds entries of a type, or changes what the release does to them. */
  put(
    id: number,
    entries: {
      readonly contentType: string
      readonly entryIds: readonly number[]
      readonly action?: ReleaseAction
    },
  ): Promise<{ readonly added: number; readonly changed: number }>
  remove(id: number, itemId: number): Promise<{ readonly id: number }>
  check(id: number, options?: Cancelling): Promise<ReleaseCheck>
  publish(id: number): Promise<Release>
}
