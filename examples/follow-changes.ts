import { type Client, type EntryChange, type FollowedName, MortiseError } from 'mortise-client'

/** Keeps something in step with the content. Both store the cursor with what they have applied, or not at all. */
export interface Follower<Types, Name extends FollowedName<Types>> {
  /** Of what was applied last; undefined: nothing yet. */
  readonly cursor: string | undefined
  /** Begins anew, with everything that there is. */
  replace(entries: readonly EntryChange<Types, Name>[], cursor: string): Promise<void>
  update(changes: readonly EntryChange<Types, Name>[], cursor: string): Promise<void>
}

export interface FollowRequest<Types, Name extends FollowedName<Types>> {
  readonly cms: Client<Types>
  readonly types: readonly Name[]
  /** False: only until nothing is left to be told. */
  readonly forever: boolean
  readonly signal?: AbortSignal
}

/** Follows the change feed; begins with a snapshot, and takes another one if the service no longer remembers the cursor. */
export async function followChanges<Types, const Name extends FollowedName<Types>>(
  { cms, types, forever, signal }: FollowRequest<Types, Name>,
  follower: Follower<Types, Name>,
): Promise<void> {
  const options = { types, include: 'entry', ...(signal && { signal }) } as const
  while (!signal?.aborted) {
    try {
      if (follower.cursor === undefined) await takeSnapshot(cms, options, follower)
      const following = { ...options, since: follower.cursor, ...(!forever && { wait: 0 }) }
      for await (const { changes, cursor } of cms.changes(following)) await follower.update(changes, cursor)
      return
    } catch (error) {
      if (!(error instanceof MortiseError) || error.code !== 'CURSOR_EXPIRED') throw error
      await takeSnapshot(cms, options, follower)
    }
  }
}

async function takeSnapshot<Types, const Name extends FollowedName<Types>>(
  cms: Client<Types>,
  options: { readonly types: readonly Name[]; readonly include: 'entry'; readonly signal?: AbortSignal },
  follower: Follower<Types, Name>,
): Promise<void> {
  const entries: EntryChange<Types, Name>[] = []
  for await (const { changes, cursor, hasMore } of cms.snapshot(options)) {
    entries.push(...changes)
    if (!hasMore) await follower.replace(entries, cursor)
  }
}
