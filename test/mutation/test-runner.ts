import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { DialectName } from '../../core-plugins/foundation/database/database.ts'
import type { TranslatedTests } from '../translation/translate-tests.ts'
import { activeMutantVariable } from './instrumented-copy.ts'

/** A test file and the database that it runs on. */
export interface MutantTest {
  readonly file: string
  readonly database: DialectName
}

/** One that passes on the sources as they are. */
export interface CoveringTest extends MutantTest {
  readonly durationMs: number
  /** Ids of the mutants that it meets. */
  readonly mutants: ReadonlySet<string>
}

export type Outcome = 'passed' | 'failed'

/** Runs tests of an instrumented copy, each in a process of its own. */
export interface MutantTests {
  /** Runs a test without any mutant. Undefined if it fails, as one that needs other databases does: it could tell nothing. */
  cover(test: MutantTest): Promise<CoveringTest | undefined>
  /** Runs a test with one mutant on; one that takes far longer than without counts as failed. */
  run(test: CoveringTest, mutant: string): Promise<Outcome>
}

/** What a mutant may add to the time of a test before it counts as a hang. */
const spareMs = 15_000
const longestCoverMs = 300_000

export function createMutantTests(root: string, translated: TranslatedTests): MutantTests {
  const recorder = pathToFileURL(join(import.meta.dirname, 'record-coverage.mjs')).href

  function start(file: string, env: NodeJS.ProcessEnv, timeoutMs: number): Promise<Outcome> {
    const args = [...translated.options, '--test', '--test-concurrency=1', translated.translationOf(file)]
    return finish(
      spawn(process.execPath, args, { cwd: root, env, stdio: 'ignore', detached: true }),
      timeoutMs,
    )
  }

  return {
    async cover({ file, database }) {
      const folder = mkdtempSync(join(tmpdir(), 'mortise-mutants-met-'))
      const begin = performance.now()
      const env = { ...testEnv(database), MUTANT_COVERAGE: folder, NODE_OPTIONS: `--import=${recorder}` }
      const outcome = await start(file, env, longestCoverMs)
      const durationMs = performance.now() - begin
      const mutants = new Set(
        readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n')),
      )
      rmSync(folder, { recursive: true, force: true })
      return outcome === 'failed' ? undefined : { file, database, durationMs, mutants }
    },
    run({ file, database, durationMs }, mutant) {
      const timeoutMs = durationMs * 3 + spareMs
      return start(file, { ...testEnv(database), [activeMutantVariable]: mutant }, timeoutMs)
    },
  }
}

function testEnv(database: DialectName): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, REQUIRE_SERVICES: __, ...env } = process.env
  return { ...env, TEST_DATABASES: database }
}

async function finish(child: ReturnType<typeof spawn>, timeoutMs: number): Promise<Outcome> {
  // The whole group: services that a test has started must not outlive it.
  const stopAll = () => child.pid !== undefined && killGroup(child.pid)
  const timer = setTimeout(stopAll, timeoutMs)
  const [code] = await once(child, 'exit')
  clearTimeout(timer)
  stopAll()
  return code === 0 ? 'passed' : 'failed'
}

function killGroup(pid: number) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Everybody in it has ended.
  }
}
