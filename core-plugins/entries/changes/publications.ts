import { Type } from 'typebox'
import { defineJob, type JobKind, type Jobs } from '../../background/jobs/jobs.ts'
import { type Database, type Transaction, untilCommit } from '../../foundation/database/database.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { EntryChange, StoredEntries } from '../content/content.ts'
import type { ChangeLog } from './changes.ts'

/** An entry that becomes public at a time (ISO 8601). */
interface Publication {
  readonly type: string
  readonly entryId: number
  readonly publishedAt: string
}

export interface PublicationParts {
  readonly database: Database
  readonly storedEntries: StoredEntries
  readonly log: Pick<ChangeLog, 'note'>
}

const everything: Principal = { kind: 'token', id: 0, name: 'changes', scopes: new Set(['admin:*']) }

/** Nothing is written when an entry reaches the time of its publication, so this job records it in the log. */
export function createPublicationJob({
  database,
  storedEntries,
  log,
}: PublicationParts): JobKind<Publication> {
  return defineJob({
    name: 'changes.notePublication',
    payload: Type.Object({ type: Type.String(), entryId: Type.Integer(), publishedAt: Type.String() }),
    run: ({ type, entryId, publishedAt }) =>
      database.transaction(async (tx) => {
        const [entry] = await storedEntries.lock({ type, principal: everything, tx }, [entryId])
        // False if the entry was unpublished, deleted or postponed since, which the log already contains.
        const isDue = entry?.published_at === publishedAt
        if (isDue) log.note({ kind: 'flip', type, entryId }, tx)
        return { noted: isDue }
      }),
  })
}

interface Expected {
  readonly change: EntryChange
  readonly publishedAt: string
}

/** Creates the jobs in the transactions that set publication times. */
export function expectPublications(
  jobs: Jobs,
  kind: JobKind<Publication>,
): (tx: Transaction, expected: Expected) => void {
  return untilCommit<Expected>((expected, tx) => {
    const made = expected.map(({ change: { type, id: entryId }, publishedAt }) => ({
      payload: { type: type.name, entryId, publishedAt },
      runAt: publishedAt,
    }))
    return jobs.enqueueMany(tx, kind, made)
  })
}
