import type { LiveEvent } from './panel-events.ts'

/** Above this number of events per type, only the type is reported: a bulk write, an import. */
const maxOfType = 5

/** Removes duplicate events; for a type with many changed entries, only the type is reported. */
export function condensed(events: readonly LiveEvent[]): readonly LiveEvent[] {
  const distinct = [...new Map(events.map((event) => [JSON.stringify(event), event])).values()]
  const counts = new Map<string, number>()
  const ofType = ({ kind, type }: LiveEvent) => (kind === 'entry' ? type : undefined)
  for (const event of distinct) {
    const type = ofType(event)
    if (type !== undefined) counts.set(type, (counts.get(type) ?? 0) + 1)
  }
  const isMany = (type: string | undefined) => type !== undefined && (counts.get(type) ?? 0) > maxOfType
  const many = [...counts.keys()].filter(isMany)
  return [
    ...distinct.filter((event) => !isMany(ofType(event))),
    ...many.map((type): LiveEvent => ({ kind: 'entry', type })),
  ]
}
