import assert from 'node:assert/strict'
import type { Answer } from '../support/client.ts'
import { type LoadClient, NoAnswer, type Work } from './load.ts'

export const noteSchemas = {
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: {
      name: { type: 'string', required: true, unique: true },
      version: { type: 'integer', required: true },
    },
  },
}

/** What a note went through, as `create 1`, `update 2`, `delete 2`: the event and the version that it tells of. */
export interface NoteHistory {
  readonly name: string
  readonly changes: readonly string[]
  /** Of the last change it is not known whether it was made: its request had no answer. */
  readonly isLastUnknown: boolean
}

interface OpenNote {
  readonly name: string
  id: number
  version: number
  readonly changes: string[]
  isLastUnknown: boolean
}

/** What has become of each note, in the order in which it happened. */
export type Told = ReadonlyMap<string, readonly string[]>

/** Notes that clients write, each of them one client's own; a client gives up those whose last request had no answer. */
export interface NoteJournal {
  /** Creates, changes and deletes notes, one by one and several at once. */
  readonly work: Work
  /** @throws AssertionError unless each note is told of as it was changed, and several changed at once all or not at all */
  check(told: Told): void
  /** Those whose changes were told of and that were not deleted, with their versions. */
  left(told: Told): Map<string, number>
}

export function createNoteJournal(): NoteJournal {
  const notes: OpenNote[] = []
  const groups: OpenNote[][] = []
  let count = 0

  function begin(index: number): OpenNote {
    const note = { name: `note ${index}-${count++}`, id: 0, version: 0, changes: [], isLastUnknown: false }
    notes.push(note)
    return note
  }

  /** Notes the change before it is asked for: what has no answer may have been made. */
  async function change(load: LoadClient, request: ChangeRequest): Promise<Answer['body']> {
    for (const note of request.notes) {
      note.changes.push(`${request.event} ${note.version}`)
      note.isLastUnknown = true
    }
    const { status, body } = await request.send().catch((error) => {
      if (error instanceof NoAnswer) groups.push([...request.notes])
      throw error
    })
    assert.equal(status, request.event === 'create' ? 201 : 200, JSON.stringify(body))
    for (const note of request.notes) note.isLastUnknown = false
    load.acknowledge()
    return body.data
  }

  async function create(load: LoadClient): Promise<OpenNote> {
    const note = begin(load.index)
    note.version = 1
    const send = () => load.client.post('/api/content/note', { name: note.name, version: 1 })
    note.id = (await change(load, { event: 'create', notes: [note], send })).id
    return note
  }

  async function update(load: LoadClient, note: OpenNote): Promise<void> {
    note.version++
    const { id, version } = note
    const send = () => load.client.put(`/api/content/note/${id}`, { version })
    await change(load, { event: 'update', notes: [note], send })
  }

  async function remove(load: LoadClient, note: OpenNote): Promise<void> {
    const send = () => load.client.delete(`/api/content/note/${note.id}`)
    await change(load, { event: 'delete', notes: [note], send })
  }

  async function updateAll(load: LoadClient, several: readonly OpenNote[]): Promise<void> {
    const version = Math.max(...several.map((note) => note.version)) + 1
    for (const note of several) note.version = version
    const body = { ids: several.map(({ id }) => id), data: { version } }
    const send = () => load.client.patch('/api/content/note/bulk-update', body)
    await change(load, { event: 'update', notes: several, send })
  }

  async function removeAll(load: LoadClient, several: readonly OpenNote[]): Promise<void> {
    const body = { ids: several.map(({ id }) => id) }
    const send = () => load.client.delete('/api/content/note/bulk-delete', body)
    await change(load, { event: 'delete', notes: several, send })
  }

  async function work(load: LoadClient): Promise<void> {
    while (!load.isOver()) {
      const several = [await create(load), await create(load), await create(load)]
      for (const note of several) if (load.random.chance(0.7)) await update(load, note)
      await updateAll(load, several)
      const [first, ...rest] = several
      if (first !== undefined && load.random.chance(0.5)) await remove(load, first)
      if (load.random.chance(0.3)) await removeAll(load, rest)
    }
  }

  return {
    work,
    check(told) {
      const known = new Set(notes.map(({ name }) => name))
      for (const name of told.keys()) assert.ok(known.has(name), `${name} is told of, and nobody wrote it`)
      for (const note of notes) checkNote(note, told.get(note.name) ?? [])
      for (const group of groups) checkGroup(group, told)
    },
    left(told) {
      const entries = notes.flatMap(({ name }) => {
        const [event, version] = told.get(name)?.at(-1)?.split(' ') ?? ['delete']
        return event === 'delete' ? [] : [[name, Number(version)] as const]
      })
      return new Map(entries)
    },
  }
}

interface ChangeRequest {
  readonly event: 'create' | 'update' | 'delete'
  readonly notes: readonly OpenNote[]
  send(): Promise<Answer>
}

function checkNote({ name, changes, isLastUnknown }: NoteHistory, told: readonly string[]): void {
  const isWithoutLast = isLastUnknown && told.length === changes.length - 1
  assert.deepEqual(told, isWithoutLast ? changes.slice(0, -1) : changes, name)
}

function checkGroup(group: readonly NoteHistory[], told: Told): void {
  const made = group.map(({ name, changes }) => (told.get(name) ?? []).length === changes.length)
  assert.equal(new Set(made).size, 1, `half of a request: ${group.map(({ name }) => name)}`)
}
