import { measureBoot } from './boot.ts'
import type { Cleanup } from './cleanup.ts'
import { assertSameAnswers } from './compare.ts'
import { measureCursors } from './cursor.ts'
import { analyzeDatabase, createDatabase } from './database.ts'
import { fillFloor, startFloor } from './floor/floor.ts'
import type { FloorData } from './floor/store.ts'
import type { Loader } from './load.ts'
import type { BenchOptions } from './options.ts'
import { profileScenario } from './profile.ts'
import { type BenchResult, describeMachine } from './report.ts'
import type { Scenario } from './scenarios.ts'
import { startService } from './service.ts'
import { type Contender, type Contest, measureScenario, type ScenarioResult } from './throughput.ts'
import { createWorkspace, type Workspace } from './workspace.ts'
import { measureZones } from './zones.ts'

export interface Bench {
  readonly options: BenchOptions
  readonly scenarios: readonly Scenario[]
  readonly loader: Loader
  /** Called with a description of each step. */
  readonly say: (message: string) => void
  readonly cleanup: Cleanup
}

async function startContender({ service, token }: Workspace, cleanup: Cleanup): Promise<Contender> {
  const process = await startService(service)
  cleanup.add(process.stop)
  return { process, url: process.url, token }
}

async function startOpponent(
  { options, cleanup }: Bench,
  workspace: Workspace,
  data: FloorData,
): Promise<Contender> {
  const { folder, token } = workspace
  const database = await createDatabase(options.database, folder)
  cleanup.add(database.drop)
  await fillFloor(options.database, database.url, data)
  await analyzeDatabase(options.database, database.url)
  const { withHeaders, adapter } = options
  const process = await startFloor(database.url, { token, folder, withHeaders, adapter })
  cleanup.add(process.stop)
  return { process, url: process.url, token }
}

async function measureScenarios(
  bench: Bench,
  workspace: Workspace,
  service: Contender,
): Promise<ScenarioResult[]> {
  const floor = await startOpponent(bench, workspace, workspace.data)
  const contest: Contest = { service, floor, load: bench.loader.load, options: bench.options }
  const results: ScenarioResult[] = []
  for (const scenario of bench.scenarios) {
    bench.say(`measuring: ${scenario.title}`)
    const { withoutPlugins } = scenario
    results.push(
      await (withoutPlugins === undefined
        ? measureCompared(contest, scenario)
        : measureReduced(contest, scenario, { workspace, withoutPlugins })),
    )
  }
  return results
}

async function measureCompared(contest: Contest, scenario: Scenario): Promise<ScenarioResult> {
  await assertSameAnswers(scenario, contest.options.rows, [contest.service, contest.floor])
  return measureScenario(contest, scenario)
}

/** Measures a separate service without some plugins. */
async function measureReduced(
  contest: Contest,
  scenario: Scenario,
  { workspace, withoutPlugins }: { workspace: Workspace; withoutPlugins: readonly string[] },
): Promise<ScenarioResult> {
  const process = await startService({
    ...workspace.service,
    environment: { SVC_PLUGINS_DISABLED: withoutPlugins.join() },
  })
  try {
    const service: Contender = { process, url: process.url, token: workspace.token }
    return await measureCompared({ ...contest, service }, scenario)
  } finally {
    await process.stop()
  }
}

const mostRss = (results: readonly ScenarioResult[]): number | undefined =>
  results.length === 0 ? undefined : Math.max(...results.map(({ service }) => service.rssMb ?? Number.NaN))

/** Measures everything. `cleanup` removes what it leaves behind. */
export async function runBench(bench: Bench): Promise<BenchResult> {
  const { options, loader, say, cleanup } = bench
  const startedAt = new Date().toISOString()
  const machine = describeMachine()
  say(`filling ${options.database} with ${options.rows} articles`)
  const workspace = await createWorkspace(options, cleanup)
  say('measuring: start')
  const boot = await measureBoot(workspace.service, options.boots)
  const service = await startContender(workspace, cleanup)
  say('measuring: cursor pages')
  const cursors = await measureCursors(service, options.rows)
  const scenarios = await measureScenarios(bench, workspace, service)
  say('measuring: dynamic zones')
  const zones = await measureZones(options, workspace.folder)
  return {
    ...{ startedAt, machine, loader: loader.name, options },
    ...{ scenarios, boot, loadedRssMb: mostRss(scenarios), zones, cursors },
  }
}

/** Writes a processor profile of the service under the load of each scenario; returns their summaries. */
export async function runProfiles({ options, scenarios, loader, say, cleanup }: Bench): Promise<string> {
  say(`filling ${options.database} with ${options.rows} articles`)
  const { service, token } = await createWorkspace(options, cleanup)
  const texts: string[] = []
  for (const scenario of scenarios) {
    say(`profiling: ${scenario.title}`)
    texts.push(await profileScenario({ service, token, load: loader.load, options }, scenario))
  }
  return texts.join('\n\n')
}
