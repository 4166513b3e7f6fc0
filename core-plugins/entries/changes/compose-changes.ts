import { randomBytes } from 'node:crypto'
import type { InitContext } from '../../../kernel/index.ts'
import type { JobKind, Jobs } from '../../background/jobs/jobs.ts'
import type { Database } from '../../foundation/database/database.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import type { Signals } from '../../foundation/signals/signals.ts'
import type { StoredEntries } from '../content/content.ts'
import { type ChangeStore, createChangeStore } from './change-store.ts'
import type { AnswerValidity, ChangeLog, ChangePage } from './changes.ts'
import { type Cursors, createCursors } from './cursors.ts'
import { createFollowing } from './follow-changes.ts'
import { createPublicationClock } from './publication-clock.ts'
import { createPublicationJob, expectPublications } from './publications.ts'
import { createRecorder, type Recorder } from './record-changes.ts'
import { createSequencer } from './sequencer.ts'
import { Tail } from './tail.ts'
import { createValidity } from './validity.ts'

type Context = InitContext<{
  readonly database: Database
  readonly storedEntries: StoredEntries
  readonly jobs: Jobs | undefined
  readonly schemas: Schemas
  readonly signals: Signals | undefined
}>

/** The signal sent to other processes with every commit. */
const topic = 'changes'

export interface ChangeParts {
  readonly log: ChangeLog
  readonly store: ChangeStore
  readonly recorder: Recorder
  readonly validity: AnswerValidity
  readonly jobKinds: readonly JobKind[]
  start(): Promise<void>
  stop(): Promise<void>
}

/** Puts the parts of the log together. */
export function composeChanges(context: Context): ChangeParts {
  const { database, jobs, schemas, signals, storedEntries } = context.services
  const store = createChangeStore(database)
  const sequencer = createSequencer(store, context.log)
  const tail = new Tail({ store, onUnnumbered: () => sequencer.schedule(), log: context.log })
  const clock = createPublicationClock(database, schemas)
  tail.onApplied((changes) => {
    for (const change of changes) clock.apply(change)
  })
  const process = randomBytes(6).toString('base64url')
  let written = 0
  let epoch = ''
  let cursors: Cursors | undefined
  const knownCursors = () => {
    if (cursors === undefined) throw new Error('the plugin changes has not started')
    return cursors
  }
  let stopListening: (() => void) | undefined

  const recorder = createRecorder({
    store,
    nextUid: () => `${process}.${(written++).toString(36)}`,
    onCommitted(changes) {
      tail.applyOwn(changes)
      sequencer.schedule()
      signals?.send(topic)
    },
    expectPublication: (change, publishedAt, tx) => expect?.(tx, { change, publishedAt }),
  })
  const head = async () => {
    await sequencer.run()
    return store.newestPosition()
  }
  const after: ChangeLog['after'] = (position, limit) => pageAfter(store, position, limit)
  const follow = createFollowing({ tail, sequencer, after, head, signals, log: context.log })
  const log: ChangeLog = {
    ...{ tail, after, head, follow },
    get epoch() {
      return epoch
    },
    note: recorder.note,
    cursorOf: (position) => knownCursors().cursorOf(position),
    positionIn: (cursor) => knownCursors().positionIn(cursor),
  }
  const publicationJob = jobs && createPublicationJob({ database, storedEntries, log })
  const expect = jobs && publicationJob && expectPublications(jobs, publicationJob)

  return {
    log,
    store,
    recorder,
    validity: createValidity(tail, clock),
    jobKinds: publicationJob === undefined ? [] : [publicationJob as JobKind],
    async start() {
      await store.begin({ epoch: randomBytes(6).toString('hex'), secret: randomBytes(16).toString('hex') })
      const state = await store.state()
      epoch = state.epoch
      cursors = createCursors(epoch, state.secret)
      await tail.start()
      stopListening = signals?.onSignal(topic, () => void lookAgain(tail))
    },
    async stop() {
      stopListening?.()
      follow.stop()
      await sequencer.stop()
    },
  }
}

/** Ignores failures: the next check that a caller waits for makes up for them. */
async function lookAgain(tail: Tail): Promise<void> {
  try {
    await tail.check()
  } catch {}
}

/** Undefined if the section contains a reset: what was read before it may be outdated without a change that says so. */
async function pageAfter(
  store: ChangeStore,
  position: number,
  limit: number,
): Promise<ChangePage | undefined> {
  const found = await store.after(position, limit + 1)
  // Read last, so that changes deleted in the meantime are below it.
  const { floor } = await store.state()
  if (position < floor || found.some(({ kind }) => kind === 'reset')) return undefined
  const changes = found.slice(0, limit)
  const hasMore = found.length > limit
  return { changes, hasMore, position: changes.at(-1)?.position ?? position }
}
