import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Load } from './load.ts'
import type { BenchOptions } from './options.ts'
import type { Scenario } from './scenarios.ts'
import { type ServiceOptions, startService } from './service.ts'

export const profilesFolder = fileURLToPath(new URL('./results/', import.meta.url))
const shownFunctions = 30

/** Node options that write a profile into `bench/results/` when the process ends. */
export const profilingTo = (name: string): string[] => [
  '--cpu-prof',
  `--cpu-prof-dir=${profilesFolder}`,
  `--cpu-prof-name=${name}`,
]

/** Long enough for the startup, which is in the profile too, not to matter much. */
const profiledSeconds = 10

/** The part of V8's format that is read here. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly hitCount?: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }[]
}

interface SelfTime {
  readonly name: string
  readonly percent: number
}

/** Removes the part before the package or, for sources translated by `npm start`, before the source path. */
const shortenUrl = (url: string): string =>
  url.replace(/^.*\/node_modules\//, '').replace(/^\.cache\/mortise\/[0-9a-f]+\/(\d+\/)?/, '')

/** The functions with the most self time, as shares of the busy time. */
function findSelfTimes({ nodes }: CpuProfile): SelfTime[] {
  const hits = new Map<string, number>()
  for (const { callFrame, hitCount = 0 } of nodes) {
    const { functionName, url, lineNumber } = callFrame
    if (functionName === '(idle)') continue
    const name = `${functionName || '(anonymous)'} ${url === '' ? '' : `${shortenUrl(url)}:${lineNumber + 1}`}`
    hits.set(name, (hits.get(name) ?? 0) + hitCount)
  }
  const total = [...hits.values()].reduce((sum, count) => sum + count, 0)
  return [...hits]
    .map(([name, count]) => ({ name, percent: (count / total) * 100 }))
    .toSorted((left, right) => right.percent - left.percent)
    .slice(0, shownFunctions)
}

export interface ProfileOptions {
  readonly service: ServiceOptions
  readonly token: string
  readonly load: Load
  readonly options: BenchOptions
}

/**
 * Puts a service of its own under the load of a scenario with V8's profiler on.
 * Writes `bench/results/<database>-<scenario>.cpuprofile` and returns its most expensive functions as text.
 */
export async function profileScenario(profile: ProfileOptions, scenario: Scenario): Promise<string> {
  const { database, rows, connections } = profile.options
  const name = `${database}-${scenario.name}.cpuprofile`
  await mkdir(profilesFolder, { recursive: true })
  const service = await startService({ ...profile.service, nodeOptions: profilingTo(name) })
  try {
    const requests = scenario.requests(rows, 'profiled')
    const target = { url: service.url, token: profile.token }
    await profile.load(target, { requests, connections, seconds: profiledSeconds })
  } finally {
    await service.stop()
  }
  return describeProfile(scenario.title, join(profilesFolder, name))
}

/** The most expensive functions of a profile. */
export async function describeProfile(title: string, file: string): Promise<string> {
  const selfTimes = findSelfTimes(JSON.parse(await readFile(file, 'utf8')) as CpuProfile)
  const lines = selfTimes.map(({ name, percent }) => `${percent.toFixed(1).padStart(5)} %  ${name}`)
  return [`${title} (${file})`, ...lines].join('\n')
}
