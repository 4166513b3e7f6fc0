import { it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { DialectName } from '../../core-plugins/foundation/database/database.ts'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { openUrl } from '../support/open-test-database.ts'
import { type ServiceProcess, startProcess, withProject } from '../support/process.ts'
import { adminEmail, adminPassword, type Project, type ProjectOptions } from '../support/project.ts'
import { type Kill, planKills, seed } from './kill-plan.ts'
import { impatientClient, startLoad, type Work } from './load.ts'
import { createRandom, type Random } from './random.ts'

/** A process with a client that is signed in. */
export interface Running {
  readonly service: ServiceProcess
  readonly client: Client
  readonly url: string
  readonly token: string
}

/** Where a scenario takes place. */
export interface CrashWorld {
  readonly database: DialectName
  readonly project: Project
  readonly random: Random
  /** Resolves when the process is ready; `env` is added to the project's. */
  start(env?: Readonly<Record<string, string>>): Promise<Running>
  /** Looks into the database past the service. Not kept open, so that the service alone recovers what is there. */
  look<T>(work: (database: Driver) => Promise<T>): Promise<T>
}

/** What is done when processes die, and what must be so afterwards. */
export interface Scenario {
  readonly clients: number
  readonly work: Work
  /** Nothing runs, and a process is started next. */
  beforeRestart?(): Promise<void>
  /** The load is over and `running` runs: waits for whatever is still to be done, then looks through everything. */
  check(running: readonly Running[]): Promise<void>
  /** After the last check. */
  finish?(running: readonly Running[]): Promise<void>
  close?(): Promise<void>
}

export interface ScenarioKind {
  readonly project: Omit<ProjectOptions, 'database'>
  /** Over all databases; 20 unless told otherwise. All scenarios together have about three minutes. */
  readonly kills?: number
  /** Makes a scenario in a world whose first process runs. */
  create(world: CrashWorld, first: Running): Promise<Scenario>
}

/** Takes up again soon what a killed process has left. */
export const hasty = { SVC_JOBS_LEASE_MS: '1500', SVC_JOBS_POLL_INTERVAL_MS: '100' }
/** Several times what a quiet machine needs: only a scenario that hangs should meet it. */
export const crashTimeoutMs = 400_000
/** With these the survivor shows that it goes on. */
const acknowledgedAfterDeath = 2

/** Declares the test of a scenario for each database. */
export function crashTest(name: string, { project, kills: wanted, create }: ScenarioKind): void {
  eachDatabase((database) => {
    const random = createRandom(`${seed} ${name} ${database.name}`)
    const kills = planKills(database.name, random, wanted)
    const options = { ...project, database: database.name, env: { ...hasty, ...project.env } }
    it(`${name}, killed ${kills.length} times`, { timeout: crashTimeoutMs }, () =>
      withProject(options, async (made) => {
        const world = createWorld(made, database.name, random)
        try {
          await crashRepeatedly(world, kills, create)
        } catch (error) {
          throw new Error(`${name} on ${database.name} with CRASH_SEED=${seed}: ${messageOf(error)}`, {
            cause: error,
          })
        }
      }),
    )
  })
}

async function crashRepeatedly(world: CrashWorld, kills: readonly Kill[], create: ScenarioKind['create']) {
  let running = [await world.start()]
  const scenario = await create(world, running[0] as Running)
  try {
    for (const kill of kills) {
      while (running.length < kill.processes) running.push(await world.start())
      running = await killOne(world, { scenario, kill, running })
      if (kill.isChecked) await scenario.check(running)
    }
    await scenario.finish?.(running)
  } finally {
    await scenario.close?.()
  }
}

interface Death {
  readonly scenario: Scenario
  readonly kill: Kill
  readonly running: readonly Running[]
}

/** Answers those that run afterwards. */
async function killOne(world: CrashWorld, { scenario, kill, running }: Death): Promise<Running[]> {
  const victim = world.random.pick(running)
  const survivors = running.filter((each) => each !== victim)
  const { clients, work } = scenario
  const processes = [victim, ...survivors].map(({ client }) => client)
  const load = startLoad({ work, clients, random: world.random, processes })
  try {
    await load.acknowledges(1)
    await delay(kill.afterMs)
    await victim.service.end('SIGKILL')
    if (survivors.length > 0) await load.acknowledges(acknowledgedAfterDeath)
  } finally {
    await load.end()
  }
  if (survivors.length > 0) return survivors
  if (kill.isChecked) await scenario.beforeRestart?.()
  return [await world.start()]
}

/** Where processes of a project are started and its database looked into. */
export function createWorld(project: Project, database: DialectName, random: Random): CrashWorld {
  let token: string | undefined
  return {
    database,
    project,
    random,
    async start(env = {}) {
      const service = startProcess({ project, env })
      const url = await service.ready()
      // The sessions of a process outlive it.
      token ??= await signIn(url)
      return { service, url, token, client: impatientClient(url, token) }
    },
    async look(work) {
      const driver = await openUrl(urlOf(project))
      try {
        return await work(driver)
      } finally {
        await driver.close()
      }
    },
  }
}

async function signIn(url: string): Promise<string> {
  const credentials = { identifier: adminEmail, password: adminPassword }
  const { body } = await impatientClient(url, '').post('/api/admin/auth/login', credentials)
  return body.data.token
}

function urlOf({ env }: Project): string {
  if (env.DATABASE_URL === undefined) throw new Error('the project has no database')
  return env.DATABASE_URL
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
