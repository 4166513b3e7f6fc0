import { Session } from 'node:inspector/promises'
import { startService } from '../support/service.ts'

/*
 *   npx tsx test/files-crossed/measure.ts
 *
 * Prints as JSON which files of the service a warm request crosses: those of which at least one function has run, by the
 * coverage of V8, until it was answered. In a process of its own, since coverage slows all of it down.
 */

const note = {
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: { title: { type: 'string', required: true }, body: { type: 'text' } },
}
/** What runs by itself meanwhile is not in all repetitions. */
const repetitions = 12

/** `core-plugins/foundation/http/routes/router` of a script of the service or its translation. */
function serviceFile(url: string): string | undefined {
  return /\/((?:core-plugins|kernel)\/(?!.*node_modules).+)\.[jt]s(?:\?|$)/.exec(url)?.[1]
}

/** The files of which a function has run since the last call. */
async function filesRun(session: Session): Promise<ReadonlySet<string>> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const run = result.filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
  return new Set(run.flatMap(({ url }) => serviceFile(url) ?? []))
}

/** The files that a request crosses each time, after it has been sent a few times. */
async function filesCrossed(
  session: Session,
  send: (index: number) => Promise<{ readonly status: number }>,
): Promise<readonly string[]> {
  const runs: ReadonlySet<string>[] = []
  for (let index = 0; index < 2 * repetitions; index += 1) {
    await filesRun(session)
    const { status } = await send(index)
    if (status >= 300) throw new Error(`the request was answered ${status}`)
    runs.push(await filesRun(session))
  }
  const [first = new Set(), ...others] = runs.slice(repetitions)
  return [...first].filter((file) => others.every((run) => run.has(file))).sort()
}

const service = await startService({ schemas: { 'note.json': note } })
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
const post = await filesCrossed(session, (index) =>
  service.admin.post('/api/content/note', { title: `Note ${index}`, body: 'Something to be found.' }),
)
const list = await filesCrossed(session, (index) =>
  service.admin.get(`/api/content/note?sort=title&limit=${index + 1}`),
)
session.disconnect()
await service.stop()
console.log(JSON.stringify({ post, list }))
