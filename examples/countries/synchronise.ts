import type { Collection, TypeShape } from 'mortise-client'

/** The fields of all entries, whatever their type. */
type Entry = { readonly id: number } & Readonly<Record<string, unknown>>

/** What happened to the records of one type. */
export interface Counts {
  created: number
  updated: number
  unchanged: number
}

export interface SynchroniseOptions<Shape extends TypeShape> {
  readonly collection: Collection<Shape>
  /** The attribute that identifies a record. */
  readonly key: keyof Shape['input'] & string
  /** Complete if their entries may have to be created. */
  readonly records: readonly Partial<Shape['input']>[]
  /** Called after each record. */
  readonly onProgress: () => void
}

/** The ids of a type's entries by key, and what was done. */
export interface Synchronised {
  readonly ids: ReadonlyMap<unknown, number>
  readonly counts: Counts
}

const requestsAtOnce = 8

/** Creates what is missing, updates what differs, and leaves everything else as it is. */
export async function synchronise<Shape extends TypeShape>(
  options: SynchroniseOptions<Shape>,
): Promise<Synchronised> {
  const { collection, key, records, onProgress } = options
  const existing = new Map<unknown, Entry>()
  for await (const entry of collection.each()) existing.set((entry as Entry)[key], entry as Entry)
  const ids = new Map([...existing].map(([name, entry]) => [name, entry.id]))
  const counts: Counts = { created: 0, updated: 0, unchanged: 0 }

  async function write(record: Partial<Shape['input']>): Promise<keyof Counts> {
    const entry = existing.get(record[key])
    if (entry === undefined) {
      const created = (await collection.create(record as Shape['input'])) as Entry
      ids.set(record[key], created.id)
      return 'created'
    }
    if (holds(entry, record)) return 'unchanged'
    await collection.update(entry.id, record)
    return 'updated'
  }

  await forEachAtOnce(records, async (record) => {
    counts[await write(record)]++
    onProgress()
  })
  return { ids, counts }
}

/** Whether `actual` contains everything in `wanted`; whatever else it contains does not matter. */
export function holds(actual: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return actual === wanted
  if (typeof actual !== 'object' || actual === null) return false
  if (Array.isArray(wanted) && (!Array.isArray(actual) || actual.length !== wanted.length)) return false
  const fields = actual as Record<string, unknown>
  return Object.entries(wanted).every(([name, value]) => holds(fields[name], value))
}

async function forEachAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values()
  const worker = async () => {
    for (const item of queue) await work(item)
  }
  await Promise.all(Array.from({ length: requestsAtOnce }, worker))
}
